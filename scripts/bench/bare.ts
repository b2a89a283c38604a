// What a competent person would write for one endpoint and nothing else: plain Hono, the same query,
// the same answer, no validation, limits, headers or logs. It is the measure our service is held to.
import bcrypt from "bcryptjs";
import { Hono } from "hono";
import { jwtVerify } from "jose";

const app = new Hono<{ Bindings: { DB: D1Database; KV: KVNamespace; JWT_SECRET: string } }>();

app.get("/health", async (c) => {
  const started = Date.now();
  await Promise.all([c.env.DB.prepare("SELECT 1").run(), c.env.KV.get("health")]);
  return c.json({
    status: "ok",
    version: "0.0.0",
    time: new Date().toISOString(),
    checks: {
      database: { ok: true, latencyMs: Date.now() - started },
      kv: { ok: true },
      secrets: { ok: true, problems: [] },
    },
  });
});

let document = "";

app.put("/document", async (c) => {
  document = await c.req.text();
  return c.body(null, 204);
});

app.get("/document", (c) => c.body(document, 200, { "Content-Type": "application/json" }));

app.get("/me", async (c) => {
  const token = c.req.header("authorization")?.slice("Bearer ".length) ?? "";
  const { payload } = await jwtVerify<{ sid: string }>(token, new TextEncoder().encode(c.env.JWT_SECRET));
  const { sid, sub } = payload;
  const row = await c.env.DB.prepare(
    `SELECT u.id, u.email, u.name, u.role, u.email_verified_at AS emailVerifiedAt, u.totp_enabled_at AS totpEnabledAt,
            u.created_at AS createdAt, s.created_at AS sessionCreatedAt, s.expires_at AS sessionExpiresAt
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.id = ? AND s.user_id = ? AND s.expires_at > ?`,
  )
    .bind(sid, Number(sub), Date.now())
    .first<{
      [column: string]: string | number;
      createdAt: number;
      sessionCreatedAt: number;
      sessionExpiresAt: number;
    }>();
  if (!row) return c.json({ status: 401 }, 401);
  return c.json({
    user: {
      id: row.id,
      email: row.email,
      name: row.name,
      role: row.role,
      emailVerified: row.emailVerifiedAt !== null,
      twoFactorEnabled: row.totpEnabledAt !== null,
      createdAt: new Date(row.createdAt).toISOString(),
    },
    session: {
      id: sid,
      createdAt: new Date(row.sessionCreatedAt).toISOString(),
      expiresAt: new Date(row.sessionExpiresAt).toISOString(),
    },
  });
});

app.post("/bcrypt", async (c) => {
  const { password, hash } = await c.req.json();
  return c.json({ matches: await bcrypt.compare(password, hash) });
});

app.notFound((c) => c.json({ status: 404, title: "There is no such path", detail: c.req.path }, 404));

export default app;
