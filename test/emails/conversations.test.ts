import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setClock } from "../auth/people.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
afterEach(() => void vi.useRealTimers());
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 12, minute)).toISOString();
interface Conversation {
  conversation: { count: number };
}
const threads = async (query = "") => (await api.get(`/api/emails/threads?${query}`)).body.data;
const subjects = async (query = "") => (await threads(query)).map((each: { subject: string }) => each.subject);

beforeEach(emptyService);

/** A conversation of three, a newer single email, and an older one. */
async function fill() {
  const first = await storeMail(api, "contract", {
    subject: "Contract",
    body: "Here is the contract.",
    attachments: [{ name: "contract.pdf", type: "application/pdf", size: 1 }],
    isRead: true,
    receivedAt: at(1),
  });
  const reply = await storeMail(api, "sent", {
    subject: "Re: Contract",
    body: "Thank you, I sign it.",
    direction: "outbound",
    from: "Ada <ada@example.com>",
    to: ["Ann Lee <ann@example.com>", "Carl <carl@example.com>"],
    inReplyTo: first.messageId,
    receivedAt: at(5),
  });
  const last = await storeMail(api, "contract", {
    subject: "Re: Contract",
    body: "Received, all fine.",
    isStarred: true,
    inReplyTo: reply.messageId,
    receivedAt: at(9),
  });
  const single = await storeMail(api, "lunch", { subject: "Lunch", receivedAt: at(7) });
  const old = await storeMail(api, "old", { subject: "Old", isRead: true, receivedAt: at(0) });
  return { first, reply, last, single, old };
}

describe("conversations", () => {
  it("are listed once each, by their newest email, with what a list shows", async () => {
    const { first, last, single } = await fill();
    const [contract, lunch, old, ...more] = await threads();
    expect(more).toEqual([]);
    expect(contract).toMatchObject({
      id: last.id,
      threadId: first.threadId,
      threadCount: 3,
      subject: "Re: Contract",
      snippet: "Received, all fine.",
      receivedAt: at(9),
      isRead: false,
    });
    expect(contract.conversation).toEqual({
      count: 3,
      unreadCount: 1,
      isStarred: true,
      hasAttachments: true,
      participants: [
        { name: "Ann Lee", address: "ann@example.com", isMe: false },
        { name: "Ada", address: "ada@example.com", isMe: true },
        { name: "Carl", address: "carl@example.com", isMe: false },
      ],
      isMuted: false,
    });
    expect(lunch).toMatchObject({ id: single.id, threadId: single.id, threadCount: 1 });
    expect(lunch.conversation).toMatchObject({ count: 1, unreadCount: 1, hasAttachments: false });
    expect(old.conversation).toMatchObject({ unreadCount: 0, participants: [{ name: "Ann Lee" }] });
    const { conversation: _, ...asEmail } = contract;
    expect(asEmail).toEqual((await api.get("/api/emails?limit=1")).body.data[0]);
  });

  it("take the filters and the search of the list: one email that matches is enough", async () => {
    const { first, reply } = await fill();
    expect(await subjects("q=sign")).toEqual(["Re: Contract"]);
    expect((await threads("q=sign"))[0]).toMatchObject({ id: reply.id, conversation: { count: 3, unreadCount: 1 } });
    expect((await threads("hasAttachment=true"))[0]).toMatchObject({ id: first.id, subject: "Contract" });
    expect(await subjects(`threadId=${first.threadId}`)).toEqual(["Re: Contract"]);
    expect(await subjects("unread=true")).toEqual(["Re: Contract", "Lunch"]);
    expect(await subjects("unread=false")).toEqual(["Re: Contract", "Old"]);
    expect(await subjects("tag=contract")).toEqual(["Re: Contract"]);
    expect(await subjects("tag=contract&unread=false")).toEqual(["Contract"]);
    expect(await subjects("direction=outbound")).toEqual(["Re: Contract"]);
    expect(await subjects("status=archived")).toEqual(["Re: Contract"]);
    expect(await subjects("status=inbox")).toEqual(["Re: Contract", "Lunch", "Old"]);
    expect(await subjects(`q=${encodeURIComponent("is:starred OR tag:lunch")}`)).toEqual(["Re: Contract", "Lunch"]);
    expect(await subjects("from=ann@example.com")).toEqual(["Re: Contract", "Lunch", "Old"]);
    expect(await subjects(`until=${at(2)}`)).toEqual(["Contract", "Old"]);
    expectProblem(await api.get("/api/emails/threads?q=is:purple"), 422, "validation_failed");
  });

  it("have pages without repeats, also while emails share a moment and threads grow", async () => {
    for (let n = 0; n < 5; n++) {
      const { messageId } = await storeMail(api, "paged", { subject: `thread ${n}`, receivedAt: at(n) });
      await storeMail(api, "paged", { subject: `thread ${n}`, inReplyTo: messageId, receivedAt: at(30) });
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await api.get(`/api/emails/threads?limit=2${cursor}`);
      seen.push(...body.data.map((each: { subject: string }) => each.subject));
      cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : "";
    } while (cursor);
    expect(seen).toEqual(["thread 4", "thread 3", "thread 2", "thread 1", "thread 0"]);
    const { body } = await api.get("/api/emails?limit=1");
    expectProblem(await api.get(`/api/emails/threads?cursor=${body.nextCursor}`), 422, "invalid_cursor");
  });

  it("leave out the trash, and in the trash everything else", async () => {
    const { first, last, single } = await fill();
    await api.patch("/api/emails", { ids: [last.id, single.id], status: "trash" });
    const [contract, ...others] = await threads();
    expect(contract).toMatchObject({ snippet: "Thank you, I sign it." });
    expect(contract.conversation).toMatchObject({ count: 2, unreadCount: 0, isStarred: false, hasAttachments: true });
    expect(others).toHaveLength(1);
    const trash = await threads("status=trash");
    expect(trash.map((each: Conversation) => each.conversation.count)).toEqual([1, 1]);
    expect(trash[0]).toMatchObject({ threadId: first.threadId, status: "trash", id: last.id });
    expect(trash[0].conversation).toMatchObject({ unreadCount: 1, isStarred: true, hasAttachments: false });
    expect(await subjects("status=any")).toEqual(["Re: Contract", "Lunch", "Old"]);
  });

  it("come back on top when a snooze of one of their emails ends", async () => {
    const { first, single } = await fill();
    const noon = Date.UTC(2026, 4, 2, 12);
    setClock(noon);
    await api.patch(`/api/emails/${first.id}`, { snoozedUntil: new Date(noon + 60_000).toISOString() });
    await api.patch(`/api/emails/${single.id}`, { snoozedUntil: new Date(noon + 30_000).toISOString() });
    expect(await subjects("status=inbox")).toEqual(["Re: Contract", "Old"]);
    expect(await subjects()).toEqual(["Re: Contract", "Lunch", "Old"]);
    setClock(noon + 30_000);
    expect(await subjects("status=inbox")).toEqual(["Lunch", "Re: Contract", "Old"]);
    setClock(noon + 60_000);
    const woken = await threads("status=inbox");
    expect(woken.map((each: { subject: string }) => each.subject)).toEqual(["Contract", "Lunch", "Old"]);
    expect(woken[0]).toMatchObject({ id: first.id, conversation: { count: 3 } });
    const one = await api.get("/api/emails/threads?status=inbox&limit=1");
    const rest = await api.get(`/api/emails/threads?status=inbox&limit=9&cursor=${one.body.nextCursor}`);
    expect(rest.body.data.map((each: { subject: string }) => each.subject)).toEqual(["Lunch", "Old"]);
  });
});
