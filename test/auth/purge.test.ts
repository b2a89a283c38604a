import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import worker from "../../src/index.ts";
import { expectErrorLog, takeLogs } from "../harness.ts";
import { countRows, insertCheapPerson } from "./people.ts";

async function runNightly(cron = "17 3 * * *"): Promise<void> {
  const execution = createExecutionContext();
  await worker.scheduled(createScheduledController({ cron }), env, execution);
  await waitOnExecutionContext(execution);
}

describe("the nightly job", () => {
  it("removes what has expired and keeps what has not", async () => {
    const { id } = await insertCheapPerson();
    const past = Date.now() - 100 * 86_400_000;
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO audit_log (user_id, action, actor, ip, at) VALUES (null, 'login.failed', 'old', 'x', ?)",
      ).bind(past),
      env.DB.prepare(
        "INSERT INTO audit_log (user_id, action, actor, ip, at) VALUES (?, 'login.succeeded', 'new', 'x', ?)",
      ).bind(id, past),
      ...["login.failed", "two_factor.failed", "session.proof_failed"].map((action) =>
        env.DB.prepare("INSERT INTO audit_log (user_id, action, actor, ip, at) VALUES (?, ?, 'old', 'x', ?)").bind(
          id,
          action,
          past,
        ),
      ),
      env.DB.prepare(
        `INSERT INTO sync_runs (id, "trigger", mode, status, lease_until, started_at) VALUES ('old', 'cron', 'full', 'failed', 0, ?)`,
      ).bind(past),
      env.DB.prepare(
        `INSERT INTO sync_runs (id, "trigger", mode, status, lease_until, started_at) VALUES ('new', 'cron', 'full', 'failed', 0, ?)`,
      ).bind(Date.now()),
    ]);
    const insert = async (marker: string, expiresAt: number) => {
      const statements: [string, unknown[]][] = [
        ["INSERT INTO sessions VALUES (?, ?, 0, 0, ?, 0, 0, 0, 'x', null)", [marker, id, expiresAt]],
        ["INSERT INTO login_challenges VALUES (?, ?, 0, ?)", [marker, id, expiresAt]],
        ["INSERT INTO login_failures VALUES (?, '', 1, 0, null, ?)", [marker, expiresAt]],
        ["INSERT INTO mail_tokens VALUES (?, ?, 'verify_email', 'x', 0, ?)", [marker, id, expiresAt]],
        [
          "INSERT INTO idempotency_keys (actor, key, fingerprint, claim, claimed_at, status, expires_at) VALUES ('anonymous', ?, 'f', 'c', 0, 200, ?)",
          [marker, expiresAt],
        ],
      ];
      await env.DB.batch(statements.map(([sql, values]) => env.DB.prepare(sql).bind(...values)));
    };
    await insert("old", Date.now() - 1000);
    await insert("new", Date.now() + 60_000);
    await runNightly();
    const columns = {
      sessions: "id",
      login_challenges: "token_hash",
      login_failures: "email",
      mail_tokens: "token_hash",
      idempotency_keys: "key",
      audit_log: "actor",
      sync_runs: "id",
    };
    for (const [table, column] of Object.entries(columns)) {
      expect(await countRows(table, `${column} = 'old'`), table).toBe(0);
      expect(await countRows(table, `${column} = 'new'`), table).toBe(1);
    }
  });

  it("takes more than a bite when there is more, in bounded rounds", async () => {
    await env.DB.prepare(`INSERT INTO login_failures SELECT 'many-' || value, '', 1, 0, null, 1 FROM json_each(?)`)
      .bind(JSON.stringify(Array.from({ length: 2500 }, (_, n) => n)))
      .run();
    await runNightly();
    expect(await countRows("login_failures", "email LIKE 'many-%'")).toBe(0);
  });
});

describe("a cron that no job is for", () => {
  it("is an error in the log", async () => {
    expectErrorLog("cron_without_jobs");
    takeLogs();
    await runNightly("1 2 3 4 5");
    expect(takeLogs().join("\n")).toMatch(/cron_without_jobs.*1 2 3 4 5/);
  });
});
