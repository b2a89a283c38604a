import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { purgeEmails } from "../../src/features/emails/retention/purge.ts";
import { setClock, signedInPerson } from "../auth/people.ts";
import { emptyService, expectProblem, service, systemCtx } from "../harness.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
const DAY_MS = 86_400_000;
const PATH = "/api/settings/retention";

beforeEach(async () => {
  await emptyService();
  await env.DB.prepare("DELETE FROM email_retention").run();
  return () => vi.useRealTimers();
});

const subjects = async () => {
  const { results } = await env.DB.prepare("SELECT subject FROM emails ORDER BY id").all<{ subject: string }>();
  return results.map(({ subject }) => subject);
};

async function owner() {
  const { token } = await signedInPerson("owner");
  return token;
}

async function mailOf(subject: string, fields: Record<string, unknown> = {}, patch?: object) {
  const mail = await storeMail(api, "kept", { subject, ...fields });
  if (patch) await api.patch(`/api/emails/${mail.id}`, patch);
  return mail;
}

describe("the nightly purge", () => {
  it("deletes what was 30 days in the trash, and spam, but nothing else", async () => {
    await mailOf("in the inbox");
    await mailOf("trashed", {}, { status: "trash" });
    await mailOf("spam", { kind: "spam_like" });
    await mailOf("starred spam", { kind: "spam_like" }, { isStarred: true });
    await mailOf("archived spam", { kind: "spam_like" }, { status: "archived" });
    const old = await mailOf("trashed late");
    await mailOf("newsletter", { kind: "newsletter" });
    expect(await purgeEmails(systemCtx())).toBe(0);
    setClock(Date.now() + 20 * DAY_MS);
    await env.DB.prepare("UPDATE emails SET status = 'trash', updated_at = ? WHERE id = ?")
      .bind(Date.now(), old.id)
      .run();
    setClock(Date.now() + 11 * DAY_MS);
    expect(await purgeEmails(systemCtx())).toBe(2);
    expect(await subjects()).toEqual(["in the inbox", "starred spam", "archived spam", "trashed late", "newsletter"]);
    setClock(Date.now() + 20 * DAY_MS);
    expect(await purgeEmails(systemCtx())).toBe(1);
    expect(await subjects()).not.toContain("trashed late");
    const { body } = await api.get("/api/emails?q=trashed&status=trash");
    expect(body.data).toEqual([]);
  });

  it("deletes no spam that was not listed in spam for 30 days, however old it was when it came", async () => {
    const spam = () => api.get("/api/emails?status=spam").then(({ body }) => body.data.length);
    await mailOf("like spam", { kind: "spam_like", receivedAt: "2020-01-01T00:00:00Z" });
    const late = await mailOf("in the inbox for long", { receivedAt: "2020-01-01T00:00:00Z" });
    for (let day = 0; day < 29; day += 1) {
      expect(await purgeEmails(systemCtx())).toBe(0);
      expect(await spam()).toBe(1);
      setClock(Date.now() + DAY_MS);
    }
    await api.patch("/api/emails", { ids: [late.id], status: "spam" });
    setClock(Date.now() + 2 * DAY_MS);
    expect(await purgeEmails(systemCtx())).toBe(1);
    expect(await subjects()).toEqual(["in the inbox for long"]);
    expect(await spam()).toBe(1);
    await api.patch("/api/emails", { ids: [late.id], status: "inbox" });
    setClock(Date.now() + 60 * DAY_MS);
    expect(await purgeEmails(systemCtx())).toBe(0);
  });

  it("deletes what a rule gave a date, unless it is starred", async () => {
    const [due, kept, later] = [
      await mailOf("due"),
      await mailOf("kept", {}, { isStarred: true }),
      await mailOf("later"),
    ];
    const at = env.DB.prepare("UPDATE emails SET delete_at = ? WHERE id = ?");
    const now = Date.now();
    await env.DB.batch([at.bind(now - 1, due.id), at.bind(now - 1, kept.id), at.bind(now + DAY_MS, later.id)]);
    expect(await purgeEmails(systemCtx())).toBe(1);
    expect(await subjects()).toEqual(["kept", "later"]);
  });

  it("works in batches, and leaves the rest to the next night", async () => {
    const copies = `INSERT INTO emails (message_id, thread_id, reference_ids, direction, source, from_name, from_email, to_recipients,
        cc_recipients, kind, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, version, created_at, updated_at, body, delete_at)
      SELECT 'purge' || value, 1, '[]', 'inbound', 'api', '', 'a@example.com', '[]', '[]', 'person', 'copy', '', '[]', '[]', 'inbox', 1, 0,
        value, 1, 1, 1, '', 1 FROM json_each(?)`;
    await env.DB.prepare(copies)
      .bind(JSON.stringify(Array.from({ length: 450 }, (_, at) => at)))
      .run();
    const aborted = { ...systemCtx(), signal: AbortSignal.abort() };
    expect(await purgeEmails(aborted)).toBe(0);
    expect(await purgeEmails(systemCtx())).toBe(450);
    expect(await subjects()).toEqual([]);
  });
});

describe("the retention", () => {
  it("is the owner's to change, one change after the other", async () => {
    const token = await owner();
    const read = await api.get(PATH, { token });
    expect(read).toMatchObject({ status: 200, body: { trashDays: 30, spamDays: 30, kindDays: { newsletter: null } } });
    const changed = await api.patch(PATH, { trashDays: null, kindDays: { newsletter: 10 } }, { token });
    expect(changed.body).toMatchObject({
      trashDays: null,
      spamDays: 30,
      kindDays: { newsletter: 10, receipt: null },
      version: 1,
    });
    const stale = { token, headers: { "if-match": '"0"' } };
    expectProblem(await api.patch(PATH, { trashDays: 1 }, stale), 412, "version_conflict");
    for (const body of [
      { trashDays: 0 },
      { spamDays: -1 },
      { kindDays: { person: 3 } },
      { kindDays: { newsletter: 1.5 } },
    ]) {
      expectProblem(await api.patch(PATH, body, { token }), 422, "validation_failed");
    }
    expectProblem(await api.patch(PATH, {}, { token }), 422, "nothing_to_update");
    expectProblem(await api.get(PATH), 401, "unauthenticated");
    expectProblem(await api.get(PATH, { token: (await signedInPerson()).token }), 403, "forbidden");

    await mailOf("trashed", {}, { status: "trash" });
    await mailOf("newsletter", { kind: "newsletter" });
    await mailOf("person");
    setClock(Date.now() + 400 * DAY_MS);
    expect(await purgeEmails(systemCtx())).toBe(1);
    expect(await subjects()).toEqual(["trashed", "person"]);
  });
});
