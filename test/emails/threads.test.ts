import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { service } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { takeQueued } from "../queued.ts";
import { deliver } from "./deliver.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
const threadOf = async (id: number) => {
  const { body } = await api.get(`/api/emails/${id}/thread`);
  return body.data.map((mail: { subject: string }) => mail.subject);
};

describe("a messageId", () => {
  it("is stored once: the second time answers 200 with the first mail", async () => {
    const mail = { from: "a@example.com", to: "b@example.com", messageId: "<once@example.com>", subject: "first" };
    const first = await api.post("/api/emails", mail);
    const again = await api.post("/api/emails", { ...mail, messageId: "once@example.com", subject: "second" });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });

  it("sent ten times at once makes one mail and its tasks once", async () => {
    const mail = {
      from: "a@example.com",
      to: "race@example.com",
      messageId: "<race@example.com>",
      body: "Please send the report.",
      createTasks: "action_items",
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post("/api/emails", mail)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers[0]?.body.threadCount).toBe(1);
    const { body } = await api.get(`/api/tasks?emailId=${answers[0]?.body.id}&status=all`);
    expect(body.data).toHaveLength(1);
  });

  it("with an Idempotency-Key replays the first answer", async () => {
    const options = { headers: { "idempotency-key": "mail-1" } };
    const mail = { from: "a@example.com", to: "b@example.com", subject: "idempotent" };
    const first = await api.post("/api/emails", mail, options);
    const again = await api.post("/api/emails", mail, options);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("a thread", () => {
  it("grows by In-Reply-To and References, and counts its mails", async () => {
    const root = await storeMail(api, "t", { subject: "root", messageId: "<t1@x>" });
    const reply = await storeMail(api, "t", { subject: "reply", messageId: "<t2@x>", inReplyTo: "t1@x" });
    const third = await storeMail(api, "t", {
      subject: "third",
      messageId: "<t3@x>",
      references: ["<t1@x>", "<t2@x>"],
    });
    expect([reply.threadId, third.threadId]).toEqual([root.threadId, root.threadId]);
    expect(third.threadCount).toBe(3);
    expect(await threadOf(root.id)).toEqual(["root", "reply", "third"]);
    const { body } = await api.get(`/api/emails?threadId=${root.threadId}`);
    expect(body.data.map((mail: { threadCount: number }) => mail.threadCount)).toEqual([3, 3, 3]);
    await api.delete(`/api/emails/${reply.id}`);
    expect((await api.get(`/api/emails/${root.id}`)).body.threadCount).toBe(2);
  });

  it("takes in a mail that arrives after its answers, which know each other through it", async () => {
    const one = await storeMail(api, "t", { subject: "answer one", messageId: "<late-2@x>", inReplyTo: "<late-1@x>" });
    const two = await storeMail(api, "t", { subject: "answer two", messageId: "<late-3@x>", inReplyTo: "<late-1@x>" });
    const root = await storeMail(api, "t", { subject: "question", messageId: "<late-1@x>" });
    expect([two.threadId, root.threadId]).toEqual([one.threadId, one.threadId]);
    expect(root.threadCount).toBe(3);
  });

  it("becomes one with another when a mail connects them", async () => {
    const first = await storeMail(api, "t", { subject: "first", messageId: "<join-1@x>" });
    await storeMail(api, "t", { subject: "last", messageId: "<join-3@x>", inReplyTo: "<join-2@x>" });
    const link = await storeMail(api, "t", { subject: "link", messageId: "<join-2@x>", inReplyTo: "<join-1@x>" });
    expect(link.threadCount).toBe(3);
    expect((await threadOf(first.id)).sort()).toEqual(["first", "last", "link"]);
    for (const inReplyTo of ["<join-1@x>", "<join-3@x>"]) {
      const later = await storeMail(api, "t", { subject: "later", inReplyTo });
      expect(later.threadId).toBe(link.threadId);
    }
  });

  it("does not change when a known mail is posted again with other references", async () => {
    const one = await storeMail(api, "t", { messageId: "<again-1@x>" });
    const two = await storeMail(api, "t", { messageId: "<again-2@x>" });
    const { status, body } = await api.post("/api/emails", {
      from: "ann@example.com",
      messageId: "<again-2@x>",
      references: ["<again-1@x>"],
    });
    expect([status, body.threadId]).toEqual([200, two.threadId]);
    expect((await api.get(`/api/emails/${one.id}`)).body.threadCount).toBe(1);
  });

  it("stays whole when its mails arrive all at once", async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `<burst-${index}@x>`);
    const mails = await Promise.all(
      ids.map((messageId, index) => storeMail(api, "t", { messageId, references: ids.slice(0, index) })),
    );
    expect(new Set(mails.map(({ threadId }) => threadId)).size).toBe(1);
    const { body } = await api.get(`/api/emails/${mails[3]?.id}/thread?limit=100`);
    expect(body.data).toHaveLength(8);
    expect(body.data[0].threadCount).toBe(8);
  });

  it("does not hold mail that only shares a subject", async () => {
    const one = await storeMail(api, "t", { subject: "Re: lunch" });
    const two = await storeMail(api, "t", { subject: "Re: lunch" });
    expect(one.threadId).not.toBe(two.threadId);
  });

  it("is stored in one round trip", async () => {
    const counted = countStatements(env.DB);
    await storeMail(service({ DB: counted.db }), "t", { inReplyTo: "<nobody@x>" });
    expect(counted.taken().roundTrips).toBe(1);
  });
});

describe("an email that names emails of several threads", () => {
  async function arrive(from: string, id: string, references: string[]) {
    const named = references.map((each) => `<${each}>`).join(" ");
    const head = `From: ${from}\nTo: me@example.com\nSubject: ${id}\nMessage-ID: <${id}>\nReferences: ${named}`;
    await deliver(`${head}\n\nHello.\n`, { from });
    takeQueued();
  }
  const threads = async (...subjects: string[]) => {
    const marks = subjects.map(() => "?").join(", ");
    const { results } = await env.DB.prepare(`SELECT DISTINCT thread_id FROM emails WHERE subject IN (${marks})`)
      .bind(...subjects)
      .all();
    return results.length;
  };
  const conversation = async (name: string, from: string, fields: object = {}) => {
    await storeMail(api, "t", { subject: `${name}-1`, messageId: `<${name}-1@x>`, from, ...fields });
    await storeMail(api, "t", { subject: `${name}-2`, messageId: `<${name}-2@x>`, inReplyTo: `<${name}-1@x>` });
  };

  it("joins none that its sender has no part in", async () => {
    await conversation("bank", "bank@example.org");
    await conversation("boss", "boss@example.org");
    await storeMail(api, "t", { subject: "alone", messageId: "<alone@x>", from: "ann@example.org" });
    await arrive("mallory@evil.example", "thief@evil.example", ["bank-1@x", "boss-2@x", "alone@x"]);
    expect(await threads("bank-1", "bank-2", "boss-1", "boss-2", "alone")).toBe(3);
    expect(await threads("thief@evil.example", "alone")).toBe(1);
  });

  it("joins those that they have written to or were written to in", async () => {
    await conversation("first", "Carl@example.org");
    await conversation("second", "dora@example.org", { cc: ["carl@example.org"] });
    await storeMail(api, "t", { subject: "carl alone", messageId: "<carl@x>", from: "carl@example.org" });
    await arrive("carl@example.org", "link@example.org", ["first-1@x", "second-2@x", "carl@x"]);
    expect(await threads("first-1", "first-2", "second-1", "second-2", "carl alone", "link@example.org")).toBe(1);
  });
});
