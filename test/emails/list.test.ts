import { afterEach, describe, expect, it, vi } from "vitest";
import { setClock } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { storeMail, subjects } from "./new-mail.ts";

const api = service();
afterEach(() => void vi.useRealTimers());
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 12, minute)).toISOString();

describe("a list of mail", () => {
  it("is newest first, without bodies, and pages to its end", async () => {
    for (let minute = 0; minute < 5; minute++) {
      await storeMail(api, "paged", { subject: `mail ${minute}`, receivedAt: at(minute), html: "<p>x</p>" });
    }
    const first = await api.get("/api/emails?tag=paged&limit=2");
    expect(first.body.data.map((mail: { subject: string }) => mail.subject)).toEqual(["mail 4", "mail 3"]);
    expect(first.body.data[0]).not.toHaveProperty("body");
    expect(first.body.data[0]).not.toHaveProperty("html");
    const second = await api.get(`/api/emails?tag=paged&limit=2&cursor=${first.body.nextCursor}`);
    const third = await api.get(`/api/emails?tag=paged&limit=2&cursor=${second.body.nextCursor}`);
    expect(third.body.data.map((mail: { subject: string }) => mail.subject)).toEqual(["mail 0"]);
    expect(third.body.nextCursor).toBeNull();
  });

  it("stays stable while mail arrives, and does not skip what shares a moment", async () => {
    for (let n = 0; n < 6; n++) await storeMail(api, "stable", { subject: `mail ${n}`, receivedAt: at(1) });
    const seen: string[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page++) {
      const { body } = await api.get(`/api/emails?tag=stable&limit=2${cursor}`);
      seen.push(...body.data.map((mail: { subject: string }) => mail.subject));
      cursor = `&cursor=${body.nextCursor}`;
      await storeMail(api, "stable", { subject: `newer ${page}`, receivedAt: at(30) });
    }
    expect(seen).toEqual(["mail 5", "mail 4", "mail 3", "mail 2", "mail 1", "mail 0"]);
  });

  it("finds a tag in any case, and each inbox as a tag", async () => {
    await storeMail(api, "x", { subject: "to sales", to: "Sales@example.com", tags: undefined });
    expect(await subjects(api, "tag=SALES")).toEqual(["to sales"]);
    expect(await subjects(api, "tag=%20sales%20")).toEqual(["to sales"]);
  });

  it("filters by status, direction, unread, starred, time and thread together", async () => {
    const tag = "filters";
    await storeMail(api, tag, { subject: "read", isRead: true, receivedAt: at(0) });
    await storeMail(api, tag, { subject: "starred", isStarred: true, receivedAt: at(1) });
    await storeMail(api, tag, { subject: "archived", status: "archived", receivedAt: at(2) });
    const sent = await storeMail(api, tag, { subject: "sent", direction: "outbound", receivedAt: at(3) });
    expect(await subjects(api, `tag=${tag}`)).toEqual(["sent", "archived", "starred", "read"]);
    expect(await subjects(api, `tag=${tag}&unread=true`)).toEqual(["archived", "starred"]);
    expect(await subjects(api, `tag=${tag}&unread=false`)).toEqual(["sent", "read"]);
    expect(await subjects(api, `tag=${tag}&starred=true`)).toEqual(["starred"]);
    expect(await subjects(api, `tag=${tag}&starred=false&unread=true`)).toEqual(["archived"]);
    expect(await subjects(api, `tag=${tag}&status=archived`)).toEqual(["sent", "archived"]);
    expect(await subjects(api, `tag=${tag}&status=inbox&unread=true`)).toEqual(["starred"]);
    expect(await subjects(api, `tag=${tag}&direction=outbound`)).toEqual(["sent"]);
    expect(await subjects(api, `tag=${tag}&direction=inbound&since=${at(1)}&until=${at(2)}`)).toEqual(["starred"]);
    expect(await subjects(api, `threadId=${sent.threadId}`)).toEqual(["sent"]);
    expect(await subjects(api, `tag=${tag}&urgency=high`)).toEqual([]);
  });

  it("leaves a snoozed mail out of the inbox until its time", async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const mail = await storeMail(api, "snooze", { subject: "asleep" });
    const { body } = await api.patch(`/api/emails/${mail.id}`, { snoozedUntil: later });
    expect(body.snoozedUntil).toBe(later);
    expect(await subjects(api, "tag=snooze&status=inbox")).toEqual([]);
    expect(await subjects(api, "tag=snooze")).toEqual(["asleep"]);
    expect(await subjects(api, "tag=snooze&snoozed=true")).toEqual(["asleep"]);
    expect(await subjects(api, "tag=snooze&q=asleep&status=inbox")).toEqual([]);
    setClock(Date.now() + 2 * 3_600_000);
    expect(await subjects(api, "tag=snooze&status=inbox")).toEqual(["asleep"]);
    expect(await subjects(api, "tag=snooze&snoozed=true")).toEqual([]);
    await api.patch(`/api/emails/${mail.id}`, { snoozedUntil: null });
    expect(await subjects(api, "tag=snooze&status=inbox")).toEqual(["asleep"]);
  });

  it("refuses what is out of range and cursors that are not its own", async () => {
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=x",
      "unread=yes",
      "status=junk",
      "since=monday",
      "urgency=big",
    ]) {
      expectProblem(await api.get(`/api/emails?${query}`), 422, "validation_failed");
    }
    for (const cursor of ["x", "a.b", "..", "%00"]) {
      expectProblem(await api.get(`/api/emails?cursor=${cursor}`), 422, "invalid_cursor");
    }
    const { body } = await api.get("/api/emails/tags?limit=1");
    expectProblem(await api.get(`/api/emails?cursor=${body.nextCursor}`), 422, "invalid_cursor");
  });
});

describe("the tags of mail", () => {
  it("are counted with what is unread, through every kind of change", async () => {
    const counts = async () => {
      const { body } = await api.get("/api/emails/tags?limit=100");
      const of = (tag: string) => body.data.find((row: { tag: string }) => row.tag === tag);
      return { a: of("count-a"), b: of("count-b") };
    };
    const one = await storeMail(api, "count-a");
    const two = await storeMail(api, "count-a", { tags: ["count-a", "count-b"], isRead: true });
    expect(await counts()).toEqual({
      a: { tag: "count-a", count: 2, unread: 1 },
      b: { tag: "count-b", count: 1, unread: 0 },
    });
    await api.patch("/api/emails", { ids: [one.id, two.id], isRead: false, addTags: ["count-b"] });
    expect(await counts()).toMatchObject({ a: { count: 2, unread: 2 }, b: { count: 2, unread: 2 } });
    await api.patch(`/api/emails/${one.id}`, { tags: ["count-b"], isRead: true });
    expect(await counts()).toMatchObject({ a: { count: 1, unread: 1 }, b: { count: 2, unread: 1 } });
    await api.delete(`/api/emails/${two.id}`);
    expect(await counts()).toEqual({ a: undefined, b: { tag: "count-b", count: 1, unread: 0 } });
  });
});
