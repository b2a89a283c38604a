// What a signed-in person reads of their account, as plain Hono: the session check, then the same queries.
import { Hono } from "hono";
import { jwtVerify } from "jose";

interface Bindings {
  DB: D1Database;
  JWT_SECRET: string;
}

interface Session {
  id: number;
  email: string;
  name: string;
  role: string;
  timeZone: string;
  emailVerifiedAt: number | null;
  totpEnabledAt: number | null;
  createdAt: number;
  sessionCreatedAt: number;
  sessionExpiresAt: number;
}

export const accountBare = new Hono<{ Bindings: Bindings; Variables: { sid: string; session: Session } }>();

const iso = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString());

accountBare.use(async (c, next) => {
  const token = c.req.header("authorization")?.slice("Bearer ".length) ?? "";
  const { payload } = await jwtVerify<{ sid: string }>(token, new TextEncoder().encode(c.env.JWT_SECRET));
  const { sid, sub } = payload;
  const row = await c.env.DB.prepare(
    `SELECT u.id, u.email, u.name, u.role, u.time_zone AS timeZone, u.email_verified_at AS emailVerifiedAt,
            u.totp_enabled_at AS totpEnabledAt, u.created_at AS createdAt, s.created_at AS sessionCreatedAt,
            s.expires_at AS sessionExpiresAt
     FROM sessions s JOIN users u ON u.id = s.user_id
     WHERE s.id = ? AND s.user_id = ? AND s.expires_at > ?`,
  )
    .bind(sid, Number(sub), Date.now())
    .first<Session>();
  if (!row) return c.json({ status: 401 }, 401);
  c.set("sid", sid);
  c.set("session", row);
  return next();
});

accountBare.get("/me", (c) => {
  const row = c.get("session");
  return c.json({
    user: {
      id: row.id,
      email: row.email,
      name: row.name,
      role: row.role,
      emailVerified: row.emailVerifiedAt !== null,
      twoFactorEnabled: row.totpEnabledAt !== null,
      createdAt: iso(row.createdAt),
    },
    session: { id: c.get("sid"), createdAt: iso(row.sessionCreatedAt), expiresAt: iso(row.sessionExpiresAt) },
  });
});

accountBare.get("/profile", async (c) => {
  const user = c.get("session");
  const db = c.env.DB;
  const [profiles, tokens] = await db.batch<Record<string, string | number | null>>([
    db.prepare("SELECT * FROM profiles WHERE user_id = ?").bind(user.id),
    db
      .prepare(
        `SELECT * FROM mail_tokens WHERE user_id = ? AND purpose = 'change_email' AND expires_at > ?
        ORDER BY created_at DESC LIMIT 1`,
      )
      .bind(user.id, Date.now()),
  ]);
  const row = profiles?.results[0] ?? {};
  const [pending] = tokens?.results ?? [];
  return c.json({
    id: user.id,
    name: user.name,
    email: { address: user.email, verified: user.emailVerifiedAt !== null, pending: pending ?? null },
    role: user.role,
    company: row.company,
    phone: row.phone,
    bio: row.bio,
    timeZone: user.timeZone,
    locale: row.locale,
    weekStart: row.week_start,
    timeFormat: row.time_format,
    avatar: row.avatar,
    version: row.version,
    createdAt: iso(user.createdAt),
    updatedAt: row.updated_at,
  });
});

interface Endpoint extends Record<string, string | number | null> {
  event_types: string;
  created_at: number;
  updated_at: number;
}

accountBare.get("/webhooks", async (c) => {
  const { results } = await c.env.DB.prepare("SELECT * FROM webhook_endpoints WHERE user_id = ? ORDER BY id LIMIT 51")
    .bind(c.get("session").id)
    .all<Endpoint>();
  return c.json({
    data: results.slice(0, 50).map((row) => ({
      id: row.id,
      url: row.url,
      description: row.description,
      eventTypes: JSON.parse(row.event_types),
      enabled: row.enabled === 1,
      disabledReason: row.disabled_reason,
      failingSince: row.failing_since,
      previousSecretUntil: row.previous_secret_until,
      version: row.version,
      createdAt: iso(row.created_at),
      updatedAt: iso(row.updated_at),
    })),
    nextCursor: results.length > 50 ? "next" : null,
  });
});
