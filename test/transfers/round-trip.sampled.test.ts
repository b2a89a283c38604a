import { env } from "cloudflare:workers";
import { getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it } from "vitest";
import { PERSONAL_DATA } from "../../src/features/personal-data/sections.ts";
import { beginClean } from "../clean-slate.ts";
import { service } from "../harness.ts";
import { rarely } from "../sampled.ts";
import { exportArchive, importArchive, newOwner, recordsOf, seed, seedQuietly, signIn, textOf } from "./archives.ts";

beforeEach(beginClean);

const FAR = "2071-03-02T09:00:00Z";

/** What differs after a round trip, and why. */
const EXPECTED: Record<string, readonly string[]> = {
  // The account that imports keeps its address, and with it whether that is verified.
  account: ["id", "email", "emailVerifiedAt", "role"],
  // Their secrets are not exported.
  webhooks: ["userId", "enabled", "disabledReason"],
  identities: ["userId"],
  profile: ["userId"],
  notificationPreferences: ["userId"],
  workingHours: ["userId"],
  conversations: ["userId"],
  tokenAlerts: ["userId"],
  aiCalls: ["userId"],
  tokenPurchases: ["userId"],
};

async function counts(): Promise<unknown> {
  const client = service();
  const [stats, tags, tasks, events, emails] = await Promise.all(
    [
      "/api/stats",
      "/api/emails/tags",
      "/api/tasks?limit=100",
      "/api/calendar/events?limit=100",
      "/api/emails?limit=100&q=the",
    ].map(async (path) => (await client.get(path)).body),
  );
  return { stats, tags, tasks, events, emails };
}

describe("a round trip", () => {
  it("of the sample data is equal: records, ids, versions, times, threads, lists, search and statistics", async () => {
    await seedQuietly();
    const client = service();
    // Long enough to be in the file store, with a word at its end that the search must find again.
    const body = `${"All the details are below. ".repeat(200)} rhubarb`;
    const long = await client.post("/api/emails", { from: "ann@example.org", to: ["me@example.org"], body });
    const first = await exportArchive(await signIn(client));
    const before = await counts();
    const found = (await client.get("/api/emails?q=rhubarb")).body;
    expect(found.data).toMatchObject([{ id: long.body.id }]);
    await beginClean();
    const token = await newOwner(client);
    const job = await importArchive(client, token, first);
    expect(job).toMatchObject({ state: "succeeded", error: null });
    expect(await counts()).toEqual(before);
    expect((await client.get("/api/emails?q=rhubarb")).body).toEqual(found);
    expect((await client.get(`/api/emails/${long.body.id}`)).body.body).toBe(body);
    expect((await client.post("/api/service/recount", {}, { token })).body).toMatchObject({
      differences: [],
      next: null,
    });
    const [sent, returned] = [await recordsOf(first), await recordsOf(await exportArchive(token))];
    const imported = PERSONAL_DATA.filter(({ archive }) => "table" in archive && !archive.notImported);
    expect(imported.length).toBeGreaterThan(20);
    for (const { name } of imported) {
      const same = (rows: Record<string, unknown>[] | undefined) =>
        rows?.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !EXPECTED[name]?.includes(key))));
      if (name === "emails") expect(sent[name]?.some(({ contentKey }) => contentKey)).toBe(true);
      expect(same(returned[name]), name).toEqual(same(sent[name]));
    }
    expect(sent.emails?.length).toBeGreaterThan(20);
    expect(job.result.records).toMatchObject({ emails: sent.emails?.length, tasks: sent.tasks?.length });
  });

  it("links no task to the new event that gets the id of a deleted one", async () => {
    await seedQuietly();
    const client = service();
    const store = async () => (await client.post("/api/calendar/events", { title: "Last", start: FAR })).body.id;
    const lost = await store();
    const { body: task } = await client.post("/api/tasks", { title: "Prepare", eventId: lost });
    await client.delete(`/api/calendar/events/${lost}`);
    const archive = await exportArchive(await signIn(client));
    await beginClean();
    const token = await newOwner(client);
    expect(await importArchive(client, token, archive)).toMatchObject({ state: "succeeded" });
    expect(await store()).toBe(lost);
    await client.delete(`/api/calendar/events/${lost}`);
    expect((await client.post(`/api/calendar/events/${lost}/restore`)).status).toBe(200);
    expect((await client.get(`/api/tasks/${task.id}`)).body).toEqual({ ...task, eventId: null });
  });

  rarely("raises no events and names no change to live clients but one", async () => {
    await seed();
    const client = service();
    const archive = await exportArchive(await signIn(client));
    await beginClean();
    const token = await newOwner(client);
    await env.DB.prepare("DELETE FROM changes").run();
    await importArchive(client, token, archive);
    const types = await env.DB.prepare("SELECT DISTINCT type FROM changes").all();
    expect(types.results).toEqual([{ type: "reset" }]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM outbox").first()).toEqual({ n: 0 });
  });
});

/** Tables that no archive has, and why. */
const NOT_ARCHIVED: Record<string, string> = Object.fromEntries(
  Object.entries({
    "made from other tables by triggers":
      "ai_usage ai_usage_days ai_usage_months api_key_counts calendar_state caption_totals contact_addresses counters email_tags email_totals event_days quarters quarters_before reminder_times series_reminders stream_totals tags task_totals threads",
    "belongs to the running service":
      "assertions billing_account billing_events booking_deliveries changes deleted_emails deleted_events email_undos file_checks files_to_delete idempotency_keys jobs live_clients outbox reminder_state reminders service_alerts stream_reports task_undos transfers webhook_deliveries webhook_messages",
    "means nothing without a mailbox, which is connected again":
      "mailbox_dirty mailbox_folders mailbox_messages mailbox_runs mailbox_sent",
    "is secret, or about signing in":
      "api_keys backup_codes booking_connection login_challenges login_failures mail_tokens mailboxes oauth_access_tokens oauth_clients oauth_codes oauth_grants push_subscriptions sessions stream_credentials",
  }).flatMap(([reason, names]) => names.split(" ").map((name) => [name, reason])),
);

describe("an archive", () => {
  it("has every table, or a reason why it has not", () => {
    const modules = import.meta.glob<Record<string, object>>("../../src/db/schema/*.ts", { eager: true });
    const tables = Object.values(modules)
      .flatMap((module) => Object.values(module))
      .flatMap((value) => (is(value, SQLiteTable) ? [getTableName(value)] : []));
    const archived = PERSONAL_DATA.flatMap(({ archive }) => ("table" in archive ? [getTableName(archive.table)] : []));
    expect(tables.length).toBeGreaterThan(40);
    const forgotten = tables.filter((name) => !archived.includes(name) && !NOT_ARCHIVED[name]);
    expect(forgotten, "export it in a section of its feature, or say here why not").toEqual([]);
  });

  it("has no secret", async () => {
    await seed();
    const archive = await exportArchive(await signIn(service()));
    const text = new TextDecoder("latin1").decode(archive) + JSON.stringify(await recordsOf(archive));
    const secrets = await env.DB.prepare(
      `SELECT password_hash AS secret FROM users UNION ALL SELECT key_hash FROM api_keys
       UNION ALL SELECT secret FROM webhook_endpoints`,
    ).all<{ secret: string }>();
    expect(secrets.results.length).toBeGreaterThan(2);
    for (const { secret } of secrets.results) expect(text).not.toContain(secret);
    expect(JSON.parse(await textOf(archive, "manifest.json"))).toMatchObject({ format: "poa-archive", version: 1 });
  });
});
