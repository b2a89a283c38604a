import { sealSecret } from "../../src/features/webhooks/secrets.ts";
import { sha256Hex } from "../../src/lib/crypto.ts";
import { type SeedContext, settingsOf } from "./area.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const OWNER = "ada@example.com";
const URL = "https://hooks.example.com/sample";

/** The key is found again by this hash, which belongs to no key: it cannot be used. */
const KEY_HASH = sha256Hex("the sample API key of the seed");

const DELIVERIES = [
  { id: "seed-delivery-1", type: "task.created", status: "delivered", code: 204, error: null, daysAgo: 2 },
  { id: "seed-delivery-2", type: "email.received", status: "delivered", code: 200, error: null, daysAgo: 1 },
  {
    id: "seed-delivery-3",
    type: "task.completed",
    status: "failed",
    code: 500,
    error: "The endpoint returned 500.",
    daysAgo: 1,
  },
] as const;

const RUNS = [
  { id: "seed-run-1", trigger: "manual", mode: "full", status: "succeeded", minutesAgo: 1500, fetched: 9, created: 9 },
  {
    id: "seed-run-2",
    trigger: "cron",
    mode: "incremental",
    status: "succeeded",
    minutesAgo: 60,
    fetched: 2,
    created: 1,
  },
  { id: "seed-run-3", trigger: "cron", mode: "incremental", status: "failed", minutesAgo: 30, fetched: 0, created: 0 },
] as const;

/** An API key, a webhook that is switched off, so that nothing is sent, with its deliveries, and three runs of the sync. */
export async function automation({ db, vars, now }: SeedContext): Promise<string> {
  const owner = await db.prepare("SELECT id FROM users WHERE email = ?").bind(OWNER).first<{ id: number }>();
  if (!owner) return "no automations: the owner has another address";
  const secret = await sealSecret(settingsOf(vars), owner.id, `whsec_${btoa("sample-secret-of-the-seed-24-bytes")}`);
  const at = now.getTime();
  await db.batch([
    db
      .prepare(
        `INSERT INTO api_keys (user_id, name, key_hash, scopes, created_at, version) VALUES (?1, 'Home automation', ?2, ?3, ?4, 1)
         ON CONFLICT (key_hash) DO NOTHING`,
      )
      .bind(owner.id, KEY_HASH, JSON.stringify(["tasks:read", "tasks:write"]), at - 10 * DAY_MS),
    db.prepare("DELETE FROM webhook_endpoints WHERE user_id = ?1 AND url = ?2").bind(owner.id, URL),
    db
      .prepare(
        `INSERT INTO webhook_endpoints (user_id, url, description, event_types, secret, enabled, version, created_at, updated_at)
         VALUES (?1, ?2, 'Sample, switched off', '["task.created","task.completed","email.received"]', ?3, 0, 1, ?4, ?4)`,
      )
      .bind(owner.id, URL, secret, at - 10 * DAY_MS),
    ...DELIVERIES.flatMap(({ id, type, status, code, error, daysAgo }) => [
      db
        .prepare(
          "INSERT INTO webhook_messages (id, type, payload, created_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
        )
        .bind(`${id}-message`, type, JSON.stringify({ type, data: { id: 1 } }), at - daysAgo * DAY_MS),
      db
        .prepare(
          `INSERT INTO webhook_deliveries (id, message_id, endpoint_id, type, status, attempts, last_attempt_at,
             response_status, error, duration_ms, delivered_at, created_at)
           SELECT ?1, ?1 || '-message', id, ?2, ?3, 1, ?4, ?5, ?6, 120, iif(?3 = 'delivered', ?4, NULL), ?4
           FROM webhook_endpoints WHERE user_id = ?7 AND url = ?8 ON CONFLICT DO NOTHING`,
        )
        .bind(id, type, status, at - daysAgo * DAY_MS, code, error, owner.id, URL),
    ]),
    ...RUNS.map(({ id, trigger, mode, status, minutesAgo, fetched, created }) =>
      db
        .prepare(
          `INSERT INTO sync_runs (id, "trigger", mode, status, lease_until, fetched, created, errors, started_at, finished_at)
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?5 - 1200, ?5) ON CONFLICT DO NOTHING`,
        )
        .bind(
          id,
          trigger,
          mode,
          status,
          at - minutesAgo * MINUTE_MS,
          fetched,
          created,
          status === "failed" ? '["The provider returned an error."]' : "[]",
        ),
    ),
  ]);
  return `an API key, a webhook with ${DELIVERIES.length} deliveries (off), ${RUNS.length} runs of the booking sync`;
}
