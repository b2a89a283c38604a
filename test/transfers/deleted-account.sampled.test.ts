import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { streamSessions } from "../../src/db/schema/stream.ts";
import { continueSync } from "../../src/features/bookings/sync.ts";
import { deleteFiles } from "../../src/features/files/service.ts";
import { writeAutomaticCaptions } from "../../src/features/stream/automatic-captions.ts";
import { PASSWORD } from "../auth/people.ts";
import { newAccount, slot } from "../bookings/account.ts";
import { beginClean } from "../clean-slate.ts";
import { type Client, expectErrorLog, service, systemCtx } from "../harness.ts";
import { passOn, watchDatabase } from "../measured.ts";
import { deliverBatch, deliverQueue, takeQueued } from "../queued.ts";
import { rarely } from "../sampled.ts";
import { send as report } from "../stream/reports.ts";
import { credentialFor, newAccount as newChannel } from "../stream/social.ts";
import { EXPORTS, exportArchive, newOwner, seedQuietly, signIn, upload } from "./archives.ts";

beforeEach(beginClean);

const client = service();
const EMAIL = "new-owner@example.org";
/** Where a sync is that has not begun. */
const HERE = { resumeAt: null, fullResumeAt: null };
const TABLES = ["emails", "tasks", "events"] as const;

async function rowsIn(...tables: readonly string[]): Promise<number> {
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})`).join(" + ");
  return (await env.DB.prepare(`SELECT ${counts} AS rows`).first<{ rows: number }>())?.rows ?? 0;
}

/** A database on which `act` runs once, ahead of the first call after `isTime`. */
function interrupted(isTime: () => Promise<boolean>, act: () => Promise<unknown>) {
  let state: "waiting" | "acting" | "done" = "waiting";
  const look = async () => {
    if (state !== "waiting" || !(await isTime()) || state !== "waiting") return;
    state = "acting";
    await act();
    state = "done";
  };
  const DB = watchDatabase(env.DB, {
    async statement(...call) {
      await look();
      return passOn(...call);
    },
    async batch(statements, send) {
      await look();
      return send(statements);
    },
  });
  return { DB, hasActed: () => state === "done" };
}

async function deleteAccount(token: string, through: Client = client): Promise<void> {
  const body = { confirm: EMAIL, currentPassword: PASSWORD };
  expect((await through.delete("/api/settings/account", { token, body })).status).toBe(204);
}

/** What the person reads who registers next. */
async function expectNothingLeft(): Promise<void> {
  await deliverQueue();
  const token = await newOwner(client, "next@example.org");
  for (const path of ["/api/emails", "/api/tasks", "/api/calendar/events", "/api/emails/import"]) {
    expect((await client.get(path, { token })).body.data, path).toEqual([]);
  }
  expect(await rowsIn(...TABLES, "transfers")).toBe(0);
}

const mailbox = Array.from({ length: 8 }, (_, index) =>
  [
    "From ann@example.org Tue Mar  3 10:00:00 2020",
    `Message-ID: <${index}@x>`,
    "From: Ann <ann@example.org>",
    `Subject: Private ${index}`,
    "",
    // Long enough for an object of its own.
    "Private words. ".repeat(300),
    "",
    "",
  ].join("\n"),
).join("");

const calendarOf = (count: number) =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    ...Array.from({ length: count }, (_, index) => [
      "BEGIN:VEVENT",
      `UID:${index}@x`,
      "SUMMARY:Private",
      "DTSTART:20310106T090000Z",
      "DTEND:20310106T100000Z",
      "END:VEVENT",
    ]).flat(),
    "END:VCALENDAR",
  ].join("\r\n");

const send = (path: string, type: string, raw: string) => (token: string) =>
  client.post(path, undefined, { token, raw, headers: { "content-type": type } });

let archive: Uint8Array<ArrayBuffer> | undefined;
/** Uploads an archive, and has its records checked: the next slice writes. */
async function sendArchive(token: string) {
  const response = await upload(client, token, archive ?? new Uint8Array());
  const [first] = takeQueued();
  await deliverBatch("jobs", [first?.body]);
  return response;
}

async function makeArchive(): Promise<void> {
  await seedQuietly();
  archive = await exportArchive(await signIn(client));
  await beginClean();
}

const KINDS = {
  "an email import": send("/api/emails/import", "application/mbox", mailbox),
  "a calendar import": send("/api/calendar/import", "text/calendar", calendarOf(450)),
  "an archive import": sendArchive,
};

describe.each(Object.entries(KINDS))("%s", (kind, begin) => {
  beforeEach(async () => {
    if (kind === "an archive import") await makeArchive();
  });

  it("stores nothing more once the account is deleted in the middle of a slice", async () => {
    const token = await newOwner(client, EMAIL);
    expect((await begin(token)).status).toBe(202);
    const [slice] = takeQueued();
    const { DB, hasActed } = interrupted(
      async () => (await rowsIn(...TABLES)) >= 3,
      () => deleteAccount(token),
    );
    await deliverBatch("jobs", [slice?.body], { vars: { DB } });
    expect(hasActed()).toBe(true);
    await expectNothingLeft();
    if (kind === "an archive import") return;
    // What the slice had put into the store is gone, too: an archive's documents are found at night.
    await deleteFiles(systemCtx());
    expect((await env.FILES.list()).objects.map(({ key }) => key)).toEqual([]);
  });

  rarely("does not fill again what the deletion of the account has emptied", async () => {
    const token = await newOwner(client, EMAIL);
    expect((await begin(token)).status).toBe(202);
    const [slice] = takeQueued();
    // What was stored for a repeated request goes last.
    const headers = { "idempotency-key": crypto.randomUUID() };
    expect((await client.post("/api/tasks", { title: "Of the meantime" }, { token, headers })).status).toBe(201);
    const { DB, hasActed } = interrupted(
      async () => (await rowsIn("idempotency_keys")) === 0,
      () => deliverBatch("jobs", [slice?.body]),
    );
    await deleteAccount(token, service({ DB }));
    expect(hasActed()).toBe(true);
    await expectNothingLeft();
  });
});

it("an email import stores nothing more once it is cancelled in the middle of a slice", async () => {
  const token = await newOwner(client, EMAIL);
  const { body: job } = await KINDS["an email import"](token);
  const [slice] = takeQueued();
  const { DB, hasActed } = interrupted(
    async () => (await rowsIn("emails")) >= 3,
    () => client.delete(`/api/emails/import/${job.id}`, { token }),
  );
  await deliverBatch("jobs", [slice?.body], { vars: { DB } });
  await deliverQueue();
  expect(hasActed()).toBe(true);
  expect((await client.get(`/api/emails/import/${job.id}`, { token })).body).toMatchObject({ state: "cancelled" });
  expect(await rowsIn("emails")).toBe(3);
});

it("an export leaves no file when the account is deleted in the middle of a slice", async () => {
  const token = await newOwner(client, EMAIL);
  expect((await client.post(EXPORTS, undefined, { token })).status).toBe(202);
  const [slice] = takeQueued();
  const isBegun = async () =>
    (await env.DB.prepare("SELECT 1 FROM transfers WHERE position IS NOT NULL").first()) !== null;
  const { DB, hasActed } = interrupted(isBegun, async () => {
    await deleteAccount(token);
    await deleteFiles(systemCtx());
  });
  await deliverBatch("jobs", [slice?.body], { vars: { DB } });
  expect(hasActed()).toBe(true);
  expect((await env.FILES.list()).objects.length).toBeGreaterThan(0);
  await deleteFiles(systemCtx());
  expect((await env.FILES.list()).objects.map(({ key }) => key)).toEqual([]);
  await expectNothingLeft();
});

describe("a sync of bookings", () => {
  const cron = (vars: object) => continueSync(systemCtx(vars), { kind: "bookings.sync", trigger: "cron", from: HERE });

  it("stores nothing more once the account is deleted, or the provider got another key", async () => {
    const ends = [
      (token: string) => deleteAccount(token),
      async () => {
        await env.DB.prepare("UPDATE booking_connection SET key_updated_at = key_updated_at + 1").run();
      },
    ];
    for (const end of ends) {
      await beginClean();
      const token = await newOwner(client, EMAIL);
      const account = await newAccount();
      await account.book({ start: slot(1), title: "Private" });
      const isRunning = async () => (await rowsIn("sync_runs")) > 0;
      const { DB, hasActed } = interrupted(isRunning, () => end(token));
      await cron({ ...account.vars, DB });
      expect(hasActed()).toBe(true);
      expect(await rowsIn("events")).toBe(0);
    }
  });

  rarely("does not fill again what the deletion of the account has emptied", async () => {
    const token = await newOwner(client, EMAIL);
    const account = await newAccount();
    await account.book({ start: slot(1), title: "Private" });
    const { DB, hasActed } = interrupted(
      async () => (await rowsIn("events", "booking_connection")) === 0,
      () => cron(account.vars),
    );
    await deleteAccount(token, service({ DB }));
    expect(hasActed()).toBe(true);
    await expectNothingLeft();
  });
});

it("captions for a stream that the cron had read are not stored once the account is deleted", async () => {
  const token = await newOwner(client, EMAIL);
  const credential = { ...credentialFor.discord(newChannel()), currentPassword: PASSWORD };
  expect((await client.post("/api/stream/credentials", credential, { token })).status).toBe(201);
  await report({ state: "live", title: "Private" });
  const ctx = systemCtx();
  const [stream] = await ctx.db.select().from(streamSessions);
  expect(stream).toBeDefined();
  await deleteAccount(token);
  // The next person has connected a platform, and a job of before goes on.
  const next = await newOwner(client, "next@example.org");
  const theirs = { ...credentialFor.discord(newChannel()), currentPassword: PASSWORD };
  expect((await client.post("/api/stream/credentials", theirs, { token: next })).status).toBe(201);
  expectErrorLog("captions_not_written");
  await writeAutomaticCaptions(ctx, stream ? { ...stream, captionsDueSince: new Date() } : null, []);
  expect(await rowsIn("captions")).toBe(0);
});
