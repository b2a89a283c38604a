import { CALENDAR_CASES } from "./calendar-cases.ts";
import type { Case } from "./case.ts";
import { MAIL_CASES } from "./mail-cases.ts";
import type { Stage } from "./stage.ts";

const ACCOUNT = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada Lovelace" };

function register({ ours }: Stage): Promise<{ token: string; user: { id: number } }> {
  return ours.json({ method: "POST", path: "/api/auth/register", body: ACCOUNT }, 201);
}

/**
 * One entry an endpoint. A case that needs more than a path gives a function for `requests`: it gets a
 * fresh stage, may insert rows (`stage.insertRows`) and call our API (`stage.ours.json`), and returns the
 * requests with whatever it made, such as a token. The route to compare with stands in bare.ts.
 */
export const CASES: readonly Case[] = [
  {
    name: "GET /api/health",
    requests: { ours: { path: "/api/health" }, bare: { path: "/health" } },
  },
  {
    name: "unknown path",
    status: 404,
    requests: { ours: { path: "/api/nothing-is-here" }, bare: { path: "/nothing-is-here" } },
  },
  {
    name: "GET /api-docs",
    async requests({ ours, bare }) {
      const document = await ours.json({ path: "/api-docs" });
      await bare.expect({ method: "PUT", path: "/document", body: document }, 204);
      return { ours: { path: "/api-docs" }, bare: { path: "/document" } };
    },
  },
  {
    name: "GET /api/auth/me",
    async requests(stage) {
      const { token } = await register(stage);
      const headers = { authorization: `Bearer ${token}` };
      return { ours: { path: "/api/auth/me", headers }, bare: { path: "/me", headers } };
    },
    growth: { sizes: [1000, 10_000, 100_000], fill: addSessions },
  },
  {
    name: "POST /api/auth/login (bare: one bcrypt compare)",
    concurrency: 1,
    async requests(stage) {
      await register(stage);
      const hash = await stage.db.prepare("SELECT password_hash FROM users").first("password_hash");
      const { email, password } = ACCOUNT;
      return {
        ours: { method: "POST", path: "/api/auth/login", body: { email, password } },
        bare: { method: "POST", path: "/bcrypt", body: { password, hash } },
      };
    },
  },
  ...CALENDAR_CASES,
  ...MAIL_CASES,
];

/** Further sessions of the one account. */
async function addSessions(stage: Stage, from: number, to: number): Promise<void> {
  const now = Date.now();
  const rows = Array.from({ length: to - from }, (_, index) => ({
    id: `session-${from + index}`,
    user_id: 1,
    created_at: now,
    last_seen_at: now,
    expires_at: now + 86_400_000,
    refresh_counter: 0,
    rotated_at: now,
    proved_at: now,
    ip: "127.0.0.1",
  }));
  await stage.insertRows("sessions", rows);
}
