import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { recount } from "../../src/db/recount.ts";
import { emptyService, service } from "../harness.ts";
import { rarely } from "../sampled.ts";
import { storeMail } from "./new-mail.ts";

const api = service();

interface Mail {
  id: number;
  threadId: number;
  threadCount: number;
  status: "inbox" | "archived" | "trash";
  isRead: boolean;
  direction: "inbound" | "outbound";
  tags: string[];
  receivedAt: string;
}

/** The same numbers in every run. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function all(path: string): Promise<Mail[]> {
  const found: Mail[] = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await api.get(`${path}&limit=3${cursor}`);
    expect(status).toBe(200);
    found.push(...body.data);
    if (body.nextCursor === null) return found;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

const differences = async () => {
  const run = async (statement: string) => (await env.DB.prepare(statement).all<Record<string, string>>()).results;
  return (await recount(run)).differences;
};

describe("emails of every box, read and unread, sent and received, with and without a tag", () => {
  let mails: Mail[] = [];
  const pick = numbers(7);

  beforeAll(async () => {
    await emptyService();
    for (let count = 0; count < 60; count++) {
      // Several share a moment.
      const receivedAt = new Date(Date.UTC(2026, 3, 1, pick(20))).toISOString();
      await storeMail(api, "red", {
        status: (["inbox", "archived", "trash"] as const)[pick(3)],
        isRead: pick(2) === 1,
        direction: pick(4) === 0 ? "outbound" : "inbound",
        tags: [["red"], ["red", "blue"], []][pick(3)],
        receivedAt,
      });
    }
    mails = [...(await all("/api/emails?status=trash")), ...(await all("/api/emails?since=2026-01-01"))];
  });

  const newestFirst = (some: Mail[]) =>
    some.sort((a, b) => b.receivedAt.localeCompare(a.receivedAt) || b.id - a.id).map(({ id }) => id);

  const FILTERS: Record<string, (mail: Mail) => boolean> = {
    "": () => true,
    "status=inbox": (mail) => mail.status === "inbox",
    "status=archived": (mail) => mail.status === "archived",
    "status=trash": (mail) => mail.status === "trash",
    "unread=true": (mail) => !mail.isRead,
    "unread=false": (mail) => mail.isRead,
    "tag=red": (mail) => mail.tags.includes("red"),
    "tag=blue": (mail) => mail.tags.includes("blue"),
    "direction=inbound": (mail) => mail.direction === "inbound",
    "direction=outbound": (mail) => mail.direction === "outbound",
    // Read with the conditions once, for several ranges.
    "q=-tag:blue%20-is:starred": (mail) => !mail.tags.includes("blue"),
    "q=(tag:blue%20OR%20tag:red)": (mail) => mail.tags.includes("red"),
    "since=2026-04-01T08:00:00Z": (mail) => mail.receivedAt >= "2026-04-01T08",
    "until=2026-04-01T12:00:00Z": (mail) => mail.receivedAt < "2026-04-01T12",
  };
  const names = Object.keys(FILTERS);
  const parameterOf = (name: string) => name.split("=")[0];
  const pairs = names.flatMap((one, index) =>
    names
      .slice(index)
      .flatMap((other) => (one !== other && parameterOf(one) === parameterOf(other) ? [] : [[one, other]])),
  );

  rarely("are listed as asked for, in the order of time, page by page", async () => {
    expect(mails).toHaveLength(60);
    for (const pair of pairs) {
      const query = [...new Set(pair)].filter(Boolean).join("&");
      const inTrash = pair.includes("status=trash");
      const expected = mails.filter(
        (mail) => (inTrash || mail.status !== "trash") && pair.every((name) => FILTERS[name]?.(mail)),
      );
      const found = await all(`/api/emails?${query}`);
      expect([query, found.map(({ id }) => id)]).toEqual([query, newestFirst(expected)]);
    }
  });

  it("are listed alike when so many were sent that the search index finds the received ones", async () => {
    const received = await all("/api/emails?direction=inbound");
    await env.DB.exec("UPDATE email_totals SET outbound = outbound + 5000");
    const [again, threads] = [
      await all("/api/emails?direction=inbound"),
      await all("/api/emails/threads?direction=inbound"),
    ];
    await env.DB.exec("UPDATE email_totals SET outbound = outbound - 5000");
    expect(received.length).toBeGreaterThan(20);
    expect(again).toEqual(received);
    expect(threads).toHaveLength(received.length);
  });

  it("are found in the inbox, the archive and the trash by the same words", async () => {
    const found = await all("/api/emails?q=about%20in:anywhere");
    expect(found.map(({ id }) => id)).toEqual(newestFirst([...mails]));
  });

  it("keep their rows of tags through every change", async () => {
    for (const { id } of mails) {
      const change = {
        ...(pick(2) === 0 && { status: (["inbox", "archived", "trash"] as const)[pick(3)] }),
        ...(pick(2) === 0 && { isRead: pick(2) === 0 }),
        ...(pick(3) === 0 && { tags: [["red"], ["green", "green"], ["blue", "red"], []][pick(4)] }),
      };
      if (Object.keys(change).length > 0) expect((await api.patch(`/api/emails/${id}`, change)).status).toBe(200);
    }
    const ids = mails.slice(0, 30).map(({ id }) => id);
    await api.patch("/api/emails", { ids, status: "trash", isRead: true, addTags: ["green"], removeTags: ["red"] });
    await api.patch("/api/emails", { ids: ids.slice(10), status: "inbox", isRead: false });
    for (const id of ids.slice(0, 5)) await api.delete(`/api/emails/${id}`);
    expect(await differences()).toEqual([]);
  });
});

describe("threads", () => {
  rarely("have all their emails, in whatever order these arrive, refer to each other and go", async () => {
    await emptyService();
    const pick = numbers(11);
    const at = (number: number) => `<n${number}@threads.example>`;
    const order = Array.from({ length: 40 }, (_, index) => index).sort(() => pick(3) - 1);
    const stored = new Map<number, number>();
    for (const number of order) {
      // Each names one of ten before it, which may arrive later or never; a few name two and join their threads.
      const references = pick(3) > 0 ? [at(Math.max(0, number - 1 - pick(10)))] : [];
      if (pick(4) === 0) references.push(at(pick(40)));
      const mail = await storeMail(api, "threads", { messageId: at(number), references });
      stored.set(number, mail.id);
      const gone = [...stored.keys()][pick(stored.size)];
      if (pick(5) > 0 || gone === undefined) continue;
      await api.delete(`/api/emails/${stored.get(gone)}`);
      stored.delete(gone);
    }
    const mails = await all("/api/emails?tag=threads");
    expect(mails.map(({ id }) => id).sort()).toEqual([...stored.values()].sort());
    for (const { id, threadId, threadCount } of mails) {
      const ids = mails.filter((mail) => mail.threadId === threadId).map((mail) => mail.id);
      expect(threadCount).toBe(ids.length);
      expect((await all(`/api/emails?threadId=${threadId}`)).map((mail) => mail.id)).toEqual(ids);
      expect((await all(`/api/emails/${id}/thread?`)).map((mail) => mail.id).sort()).toEqual([...ids].sort());
    }
    const alone = mails.filter((mail) => mail.threadCount === 1);
    expect([alone.length > 0, alone.length < mails.length]).toEqual([true, true]);
    const { results } = await env.DB.prepare(
      "SELECT id FROM emails WHERE has_thread_count = 0 AND thread_id <> id",
    ).all();
    expect(results).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  it("are whole also where the email that a thread is named after is not there", async () => {
    await emptyService();
    // As an import may leave it: a Message-ID of a thread that has no email.
    await env.DB.exec("INSERT INTO thread_messages (message_id, thread_id) VALUES ('gone@threads.example', 987654)");
    const replies: Mail[] = [];
    for (let count = 0; count < 3; count++) {
      replies.push(await storeMail(api, "replies", { inReplyTo: "<gone@threads.example>" }));
    }
    expect(replies.map(({ threadId, threadCount }) => [threadId, threadCount])).toEqual([
      [987_654, 1],
      [987_654, 2],
      [987_654, 3],
    ]);
    const ids = replies.map(({ id }) => id).reverse();
    expect((await all("/api/emails?threadId=987654")).map(({ id }) => id)).toEqual(ids);
    expect(await differences()).toEqual([]);
  });

  it("count emails that an import brings in any order, and the only one left of a thread", async () => {
    await emptyService();
    const copy = (id: number, thread: number, has: number) =>
      env.DB.prepare(
        `INSERT INTO emails (id, message_id, thread_id, has_thread_count, reference_ids, direction, source, kind, from_name,
           from_email, to_recipients, cc_recipients, subject, snippet, attachments, tags, status, is_read, is_starred,
           received_at, version, created_at, updated_at, body)
         VALUES (?, ?, ?, ?, '[]', 'inbound', 'import', 'person', '', 'a@example.com', '[]', '[]', '', '', '[]', '["copy"]',
           'inbox', 0, 0, 5, 1, 0, 0, '')`,
      ).bind(id, `<copy-${id}@example.com>`, thread, has);
    await env.DB.batch([copy(1, 2, 0), copy(2, 2, 0), copy(3, 2, 1), copy(4, 4, 0), copy(5, 1000, 1)]);
    const found = await all("/api/emails?tag=copy");
    expect(found.map(({ id, threadCount }) => [id, threadCount])).toEqual([
      [5, 1],
      [4, 1],
      [3, 3],
      [2, 3],
      [1, 3],
    ]);
    expect((await all("/api/emails?threadId=2")).map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(await differences()).toEqual([]);
  });

  it("never give an id of a deleted email to another", async () => {
    const last = await storeMail(api, "ids");
    await api.delete(`/api/emails/${last.id}`);
    expect((await storeMail(api, "ids")).id).toBe(last.id + 1);
  });
});
