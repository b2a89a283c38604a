import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { recount } from "../../src/db/recount.ts";
import { setClock } from "../auth/people.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { takeQueued } from "../queued.ts";
import { deliver } from "./deliver.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
beforeEach(emptyService);
afterEach(() => void vi.useRealTimers());

interface Mail {
  id: number;
  threadId: number;
  messageId: string;
  status: string;
  isRead: boolean;
  isStarred: boolean;
  snoozedUntil: string | null;
  receivedAt: string;
  attachments: unknown[];
}
type Listed = Mail & { conversation: Record<string, unknown> & { participants: { name: string; address: string }[] } };

const START = Date.UTC(2026, 4, 1, 12);
const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
const list = async (query = ""): Promise<Listed[]> => (await api.get(`/api/emails/threads?${query}`)).body.data;
const listed = async (query = "") => (await list(query)).map(({ id }) => id);
const statuses = async (threadId: number) =>
  (await api.get(`/api/emails?threadId=${threadId}&status=any`)).body.data
    .map(({ id, status }: Mail) => [id, status])
    .sort(([a]: [number], [b]: [number]) => a - b);
const change = (body: object) => api.patch("/api/emails", body);

/** What triggers keep is what the emails say. */
async function expectKept() {
  const run = async (sql: string) => (await env.DB.prepare(sql).all<Record<string, string | number | null>>()).results;
  const { tables, differences } = await recount(run);
  expect(differences).toEqual([]);
  expect(tables).toMatchObject({ threads: 0 });
}

/** A thread of four: two received in the inbox, an answer in the archive, and one in the trash. */
async function fill() {
  const first = await storeMail(api, "deal", { receivedAt: at(1) });
  const answer = await storeMail(api, "sent", {
    direction: "outbound",
    from: "me@example.com",
    inReplyTo: first.messageId,
    receivedAt: at(2),
  });
  const last = await storeMail(api, "deal", { inReplyTo: answer.messageId, receivedAt: at(3) });
  const thrown = await storeMail(api, "deal", { inReplyTo: first.messageId, receivedAt: at(4), status: "trash" });
  const other = await storeMail(api, "other", { receivedAt: at(0) });
  return { first, answer, last, thrown, other, threadId: first.threadId };
}

describe("a change of conversations", () => {
  it("leaves what was sent in the archive when the others go to the inbox or to spam", async () => {
    const { first, answer, last, thrown, threadId } = await fill();
    const inbox = [first.id, last.id].map((id) => [id, "inbox"]);
    const rest = [[thrown.id, "trash"]];
    const expectPlaces = async (places: (string | number)[][]) =>
      expect(await statuses(threadId)).toEqual(places.sort(([a = 0], [b = 0]) => Number(a) - Number(b)));
    await change({ threadIds: [threadId], within: "inbox", status: "archived" });
    const { body } = await change({ threadIds: [threadId], within: "archived", status: "inbox" });
    expect(body.updated).toBe(2);
    await expectPlaces([...inbox, [answer.id, "archived"], ...rest]);
    await change({ threadIds: [threadId], status: "spam" });
    await expectPlaces([[first.id, "spam"], [answer.id, "archived"], [last.id, "spam"], ...rest]);
    await change({ threadIds: [threadId], within: "spam", status: "inbox" });
    await change({ threadIds: [threadId], status: "trash" });
    await change({ threadIds: [threadId], within: "trash", status: "inbox" });
    await expectPlaces([...inbox, [answer.id, "archived"], [thrown.id, "inbox"]]);
  });

  it("touches the emails of the box they are shown in, and says what they were", async () => {
    const { first, answer, last, thrown, other, threadId } = await fill();
    const { status, body } = await change({ threadIds: [threadId], within: "inbox", status: "archived" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ updated: 2, missing: [] });
    expect(body.before).toEqual([
      expect.objectContaining({ id: first.id, threadId, status: "inbox", isRead: false, tags: ["deal"] }),
      expect.objectContaining({ id: last.id, threadId, status: "inbox", snoozedUntil: null }),
    ]);
    expect(await statuses(threadId)).toEqual([
      [first.id, "archived"],
      [answer.id, "archived"],
      [last.id, "archived"],
      [thrown.id, "trash"],
    ]);
    expect(await listed("status=inbox")).toEqual([other.id]);
    expect(await listed("status=archived")).toEqual([last.id]);
    // Undone by the ids.
    await change({ ids: body.before.map(({ id }: Mail) => id), status: "inbox" });
    expect(await listed("status=inbox")).toEqual([last.id, other.id]);
    expect(await listed("status=archived")).toEqual([answer.id]);
    await expectKept();
  });

  it("leaves out spam and trash unless told, and touches no email that is as asked", async () => {
    const { first, answer, last, thrown, threadId } = await fill();
    const all = { threadIds: [threadId] };
    expect((await change({ ...all, isRead: true })).body).toMatchObject({ updated: 2 });
    const again = await change({ ...all, isRead: true });
    expect(again.body).toEqual({ updated: 0, missing: [], before: [] });
    expect((await api.get(`/api/emails/${last.id}`)).body.version).toBe(2);
    expect((await list())[0]?.conversation).toMatchObject({ count: 3, unreadCount: 0 });
    const tagged = await change({ ...all, addTags: ["deal", "red"], removeTags: ["sent"] });
    expect(tagged.body.before.map(({ tags }: { tags: string[] }) => tags)).toEqual([["deal"], ["sent"], ["deal"]]);
    expect((await change({ ...all, addTags: ["red"] })).body.updated).toBe(0);
    expect((await change({ ...all, isStarred: true })).body.updated).toBe(3);
    expect((await change({ ...all, within: "trash", status: "inbox" })).body.before).toEqual([
      expect.objectContaining({ id: thrown.id, status: "trash" }),
    ]);
    expect(await listed("status=inbox")).toContain(thrown.id);
    expect((await change({ ...all, status: "trash" })).body.updated).toBe(4);
    expect((await list("status=trash"))[0]).toMatchObject({
      id: thrown.id,
      conversation: { count: 4, unreadCount: 1 },
    });
    expect([first.id, answer.id]).not.toContain((await listed())[0]);
    await expectKept();
  });

  it("takes single emails and unknown threads, and is refused as a whole", async () => {
    const { other, threadId } = await fill();
    const { body } = await change({ threadIds: [other.threadId, 987_654], isStarred: true });
    expect(body).toMatchObject({ updated: 1, missing: [987_654], before: [{ id: other.id, isStarred: false }] });
    expectProblem(await change({ threadIds: [threadId] }), 422, "nothing_to_update");
    expectProblem(await change({ threadIds: [threadId], ids: [1], isRead: true }), 422, "validation_failed");
    expectProblem(await change({ isRead: true }), 422, "validation_failed");
    expectProblem(await change({ ids: [other.id], within: "inbox", isRead: true }), 422, "validation_failed");
    expectProblem(await change({ ids: [other.id], isMuted: true }), 422, "validation_failed");
    const tags = Array.from({ length: 50 }, (_, index) => `tag-${index}`);
    const refused = await change({ threadIds: [threadId, other.threadId], isRead: true, addTags: tags });
    expectProblem(refused, 422, "validation_failed");
    expect((await list())[0]?.conversation).toMatchObject({ unreadCount: 2 });
  });

  it("snoozes and wakes a conversation as one", async () => {
    setClock(START + 600_000);
    const { last, other, threadId } = await fill();
    await change({ threadIds: [threadId], within: "inbox", snoozedUntil: at(60) });
    expect(await listed("status=inbox")).toEqual([other.id]);
    expect(await listed("snoozed=true")).toEqual([last.id]);
    setClock(START + 61 * 60_000);
    expect(await listed("status=inbox")).toEqual([last.id, other.id]);
    expect(await listed()).toEqual([last.id, other.id]);
    await change({ threadIds: [threadId], within: "inbox", snoozedUntil: null });
    expect(await listed("status=inbox")).toEqual([last.id, other.id]);
    await expectKept();
  });

  it("keeps a conversation listed by an older email while only its newest is snoozed", async () => {
    setClock(START + 600_000);
    const { first, last, other } = await fill();
    await api.patch(`/api/emails/${last.id}`, { snoozedUntil: at(60) });
    expect(await listed("status=inbox")).toEqual([first.id, other.id]);
    await api.patch(`/api/emails/${first.id}`, { snoozedUntil: at(30) });
    setClock(START + 31 * 60_000);
    expect(await listed("status=inbox")).toEqual([first.id, other.id]);
    setClock(START + 61 * 60_000);
    expect(await listed("status=inbox")).toEqual([last.id, other.id]);
    // After a month, by the time they were received.
    setClock(START + 40 * 86_400_000);
    expect(await listed("status=inbox")).toEqual([last.id, other.id]);
    await expectKept();
  });

  it("made by ten at once ends as one of them says, and counts right", async () => {
    const { threadId, first } = await fill();
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 3 === 0
          ? storeMail(api, "deal", { inReplyTo: first.messageId, receivedAt: at(10 + index) })
          : change({ threadIds: [threadId], status: index % 3 === 1 ? "archived" : "inbox", isRead: index % 2 === 0 }),
      ),
    );
    const [conversation] = await list();
    expect(conversation?.conversation.count).toBe(7);
    await expectKept();
  });
});

describe("a conversation", () => {
  it("is listed once on all pages while emails arrive, and loses nobody who was below", async () => {
    const roots: Mail[] = [];
    for (let n = 0; n < 7; n++) roots.push(await storeMail(api, "paged", { receivedAt: at(n) }));
    const first = (await api.get("/api/emails/threads?limit=3")).body;
    // One that was shown and one that was not get an answer, and a new one begins.
    for (const root of [roots[6], roots[0]]) {
      await storeMail(api, "paged", { inReplyTo: root?.messageId, receivedAt: at(20) });
    }
    await storeMail(api, "paged", { receivedAt: at(21) });
    const rest = (await api.get(`/api/emails/threads?limit=9&cursor=${first.nextCursor}`)).body;
    const seen = [...first.data, ...rest.data].map(({ threadId }: Mail) => threadId);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1].map((n) => roots[n]?.threadId));
    expect((await list("limit=3")).map(({ threadId }) => threadId)).toContain(roots[0]?.threadId);
  });

  it("counts and names who is left when threads are merged and emails deleted", async () => {
    const one = await storeMail(api, "a", { messageId: "<one@x>", from: "Ann <ann@x.example>", receivedAt: at(1) });
    await storeMail(api, "b", {
      messageId: "<three@x>",
      inReplyTo: "<two@x>",
      from: "Bob <bob@x.example>",
      receivedAt: at(3),
    });
    expect(await list()).toHaveLength(2);
    const link = await storeMail(api, "c", {
      messageId: "<two@x>",
      inReplyTo: "<one@x>",
      from: "Cid <cid@x.example>",
      receivedAt: at(2),
    });
    const [merged, ...others] = await list();
    expect(others).toEqual([]);
    const names = (listed?: Listed) => listed?.conversation.participants.map(({ name }) => name);
    expect(merged?.conversation.count).toBe(3);
    expect(names(merged)).toEqual(["Ann", "Cid", "Bob"]);
    await api.delete(`/api/emails/${one.id}`);
    expect(names((await list())[0])).toEqual(["Cid", "Bob"]);
    await api.delete(`/api/emails/${link.id}`);
    expect((await list())[0]?.conversation).toMatchObject({ count: 1, participants: [{ name: "Bob" }] });
    await expectKept();
  });

  it("has at most five participants, the first who joined", async () => {
    const first = await storeMail(api, "crowd", { from: "p0@x.example" });
    for (let n = 1; n < 8; n++) {
      await storeMail(api, "crowd", { from: `P${n} <P${n}@x.example>`, inReplyTo: first.messageId });
    }
    const people = (await list())[0]?.conversation.participants;
    expect(people?.map(({ address }) => address)).toEqual(
      ["p0", "P1", "P2", "P3", "P4"].map((name) => `${name}@x.example`),
    );
  });

  it("is what its emails say after a hundred random changes", async () => {
    let seed = 7;
    const pick = (count: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % count;
    };
    setClock(START + 86_400_000);
    const mails: Mail[] = [];
    for (let n = 0; n < 100; n++) {
      const some = mails[pick(mails.length || 1)];
      const box = ["inbox", "archived", "spam", "trash"][pick(4)];
      const action = some ? pick(8) : 0;
      if (action < 3) {
        const inReplyTo = some && pick(3) > 0 ? some.messageId : null;
        const attachments = pick(3) === 0 ? [{ name: "a.pdf", type: "application/pdf", size: 1 }] : [];
        mails.push(
          await storeMail(api, "random", {
            inReplyTo,
            attachments,
            receivedAt: at(pick(60)),
            ...(pick(2) === 0 && { status: box }),
          }),
        );
      } else if (action === 3) await api.patch(`/api/emails/${some?.id}`, { status: box, isStarred: pick(2) === 0 });
      else if (action === 4) await change({ threadIds: [some?.threadId], status: box, isRead: pick(2) === 0 });
      else if (action === 5) await change({ threadIds: [some?.threadId], within: box, isStarred: pick(2) === 0 });
      else if (action === 6) await api.patch(`/api/emails/${some?.id}`, { snoozedUntil: pick(2) ? at(3000) : null });
      else if (pick(2) === 0) {
        await api.delete(`/api/emails/${some?.id}`);
        mails.splice(mails.indexOf(some as Mail), 1);
      }
    }
    await expectKept();
    for (const query of ["", "status=inbox", "status=archived", "status=spam", "status=trash"]) {
      const emails: Mail[] = (await api.get(`/api/emails?limit=100&${query}`)).body.data;
      const newest = [...new Map(emails.toReversed().map((mail) => [mail.threadId, mail.id])).values()];
      const order = emails.map(({ id }) => id).filter((id) => newest.includes(id));
      expect([query, await listed(`limit=100&${query}`)]).toEqual([query, order]);
      const paged: number[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await api.get(`/api/emails/threads?limit=3&${query}${cursor}`);
        paged.push(...body.data.map(({ id }: Mail) => id));
        if (!body.nextCursor) break;
        cursor = `&cursor=${body.nextCursor}`;
      }
      expect([query, paged]).toEqual([query, order]);
      const all: Mail[] = (await api.get("/api/emails?limit=100&status=any")).body.data;
      for (const { threadId, status, conversation } of await list(`limit=100&${query}`)) {
        const isAside = status === "spam" || status === "trash";
        const counted = all.filter(
          (mail) =>
            mail.threadId === threadId && (isAside ? mail.status === status : !["spam", "trash"].includes(mail.status)),
        );
        expect(conversation).toMatchObject({
          count: counted.length,
          unreadCount: counted.filter(({ isRead }) => !isRead).length,
          isStarred: counted.some(({ isStarred }) => isStarred),
          hasAttachments: counted.some(({ attachments }) => attachments.length > 0),
        });
      }
    }
  });
});

describe("a muted conversation", () => {
  const arrive = async (id: string, inReplyTo?: string) => {
    const head = `From: ann@example.com\nTo: me@example.com\nSubject: Urgent\nMessage-ID: <${id}>`;
    await deliver(`${head}${inReplyTo ? `\nIn-Reply-To: <${inReplyTo}>` : ""}\n\nUrgent: answer today!\n`, {
      from: "ann@example.com",
    });
    takeQueued();
  };
  const isMuted = async () => (await list())[0]?.conversation.isMuted;

  it("gets its new emails in the archive, unread, until it is no longer muted", async () => {
    await arrive("loud-1@x");
    const [first] = await list("status=inbox");
    const threadIds = [first?.threadId];
    const { body } = await change({ threadIds, within: "inbox", isMuted: true, status: "archived" });
    expect(body).toMatchObject({ updated: 1, before: [{ id: first?.id, status: "inbox" }] });
    expect(await isMuted()).toBe(true);
    await arrive("loud-2@x", "loud-1@x");
    await storeMail(api, "own", { direction: "outbound", from: "me@example.com", inReplyTo: "<loud-2@x>" });
    await arrive("loud-3@x", "loud-2@x");
    const stored = await storeMail(api, "api", { inReplyTo: "<loud-3@x>" });
    expect(stored).toMatchObject({ status: "archived", isRead: false });
    expect(await list("status=inbox")).toEqual([]);
    expect((await list())[0]?.conversation).toMatchObject({ count: 5, unreadCount: 4, isMuted: true });
    const placed = await storeMail(api, "api", { inReplyTo: "<loud-3@x>", status: "inbox" });
    expect(placed.status).toBe("inbox");
    expect((await change({ threadIds, isMuted: false })).body).toEqual({ updated: 0, missing: [], before: [] });
    expect(await isMuted()).toBe(false);
    await arrive("loud-4@x", "loud-3@x");
    expect((await list("status=inbox"))[0]).toMatchObject({ messageId: "<loud-4@x>" });
    await expectKept();
  });

  it("is not urgent and stays spam or trash where an email belongs there", async () => {
    await arrive("quiet-1@x");
    await change({ threadIds: [(await list())[0]?.threadId], within: "inbox", isMuted: true, status: "archived" });
    await arrive("quiet-2@x", "quiet-1@x");
    const { body } = await api.get("/api/emails/boxes");
    expect(body).toMatchObject({ inbox: { count: 0, unread: 0 }, archived: { count: 2 } });
    const spam = await storeMail(api, "spam", { inReplyTo: "<quiet-2@x>", kind: "spam_like" });
    expect(spam.status).toBe("spam");
  });

  it("is forgotten with its last email, and merged with another only if both are muted", async () => {
    const one = await storeMail(api, "a", { messageId: "<m1@x>" });
    const two = await storeMail(api, "b", { messageId: "<m3@x>", inReplyTo: "<m2@x>" });
    await change({ threadIds: [one.threadId, 987_654], isMuted: true });
    await storeMail(api, "c", { messageId: "<m2@x>", inReplyTo: "<m1@x>" });
    expect(await isMuted()).toBe(false);
    await change({ threadIds: [one.threadId], isMuted: true });
    for (const { id } of await (await api.get("/api/emails?status=any")).body.data)
      await api.delete(`/api/emails/${id}`);
    const { results } = await env.DB.prepare("SELECT * FROM muted_threads").all();
    expect([results, two.threadId > 0]).toEqual([[], true]);
  });
});
