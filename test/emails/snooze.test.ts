import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { snoozeTime } from "../../src/engine/snooze-time.ts";
import { setClock } from "../auth/people.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { storeMail, subjects } from "./new-mail.ts";

const api = service();
afterEach(() => void vi.useRealTimers());
/** A Monday. */
const NOW = Date.UTC(2026, 10, 16, 10);
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const boxes = async () => (await api.get("/api/emails/boxes")).body;

beforeEach(async () => {
  await emptyService();
  setClock(NOW);
});

describe("a snooze", () => {
  it("brings the email back on top when it ends, in every list without a search", async () => {
    const old = await storeMail(api, "snooze", { subject: "old", isStarred: true, receivedAt: at(-5000) });
    for (const minutes of [-30, -20, -10])
      await storeMail(api, "snooze", { subject: `at ${minutes}`, receivedAt: at(minutes) });
    await api.patch(`/api/emails/${old.id}`, { snoozedUntil: at(60) });
    expect(await subjects(api, "status=inbox")).toEqual(["at -10", "at -20", "at -30"]);
    // Until then it is at its old place.
    expect(await subjects(api, "")).toEqual(["at -10", "at -20", "at -30", "old"]);
    setClock(NOW + 59 * 60_000);
    await storeMail(api, "snooze", { subject: "new", receivedAt: at(59) });
    expect(await subjects(api, "status=inbox")).toEqual(["new", "at -10", "at -20", "at -30"]);
    setClock(NOW + 60 * 60_000);
    const onTop = ["old", "new", "at -10", "at -20", "at -30"];
    for (const query of ["status=inbox", "", "tag=snooze", "unread=true", "kind=person", "from=ann@example.com"]) {
      expect(await subjects(api, query), query).toEqual(onTop);
    }
    // A search and a range are by the time an email was received.
    expect(await subjects(api, "q=tag:snooze")).toEqual([...onTop.slice(1), "old"]);
    expect(await subjects(api, `since=${at(-9000)}`)).toEqual([...onTop.slice(1), "old"]);
    const paged: string[] = [];
    let cursor = "";
    do {
      const { body } = await api.get(`/api/emails?status=inbox&limit=2${cursor}`);
      paged.push(...body.data.map((mail: { subject: string }) => mail.subject));
      cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : "";
    } while (cursor);
    expect(paged).toEqual(onTop);
    // What is read or archived stays where it is, and goes back to its old place after a month.
    await api.patch(`/api/emails/${old.id}`, { isRead: true });
    expect(await subjects(api, "status=inbox")).toEqual(onTop);
    setClock(NOW + 31 * 24 * 3_600_000);
    expect(await subjects(api, "status=inbox")).toEqual([...onTop.slice(1), "old"]);
  });

  it("takes plain words, in a time zone", async () => {
    const { id } = await storeMail(api, "words");
    const until = async (snoozeText: string, timeZone: string) =>
      (await api.patch(`/api/emails/${id}`, { snoozeText, timeZone })).body.snoozedUntil;
    expect(await until("tomorrow morning", "Europe/Berlin")).toBe("2026-11-17T08:00:00.000Z");
    expect(await until("tomorrow morning", "America/New_York")).toBe("2026-11-17T14:00:00.000Z");
  });

  it.each([
    ["tomorrow", "2026-11-17T08:00:00.000Z"],
    ["later today", "2026-11-16T17:00:00.000Z"],
    ["in 2 hours", "2026-11-16T12:00:00.000Z"],
    ["90 minutes", "2026-11-16T11:30:00.000Z"],
    ["next week", "2026-11-23T08:00:00.000Z"],
    ["weekend", "2026-11-21T08:00:00.000Z"],
    // On a Monday, the next one.
    ["monday", "2026-11-23T08:00:00.000Z"],
    ["friday 15:30", "2026-11-20T14:30:00.000Z"],
  ])("until “%s” ends at %s", (words, end) => {
    const options = { reference: new Date(NOW), timeZone: "Europe/Berlin" };
    expect(snoozeTime(words, options)?.toISOString()).toBe(end);
  });

  it("is refused in the past, in words that are no time, and given twice; nothing changes", async () => {
    const { id, version } = await storeMail(api, "refused");
    const refusals = [
      { snoozedUntil: "2020-01-01T00:00:00Z" },
      { snoozedUntil: at(0) },
      { snoozedUntil: "2026-11-16" },
      { snoozeText: "yesterday" },
      { snoozeText: "this morning" },
      { snoozeText: "when pigs fly" },
      { snoozeText: "99999999999999999999 hours" },
      { snoozeText: "in 500 years" },
      { snoozeText: "tomorrow", snoozedUntil: at(60) },
    ];
    for (const body of refusals) {
      expectProblem(await api.patch(`/api/emails/${id}`, body), 422, "validation_failed");
      expectProblem(await api.patch("/api/emails", { ids: [id], ...body }), 422, "validation_failed");
    }
    expect((await api.get(`/api/emails/${id}`)).body).toMatchObject({ version, snoozedUntil: null });
    expectProblem(await api.patch(`/api/emails/${id}`, { timeZone: "Europe/Berlin" }), 422, "nothing_to_update");
  });

  it("of many at once, and its end by null", async () => {
    const ids = [(await storeMail(api, "many")).id, (await storeMail(api, "many")).id];
    expect((await api.patch("/api/emails", { ids, snoozeText: "tomorrow" })).body).toEqual({ updated: 2, missing: [] });
    expect(await subjects(api, "snoozed=true")).toHaveLength(2);
    await api.patch("/api/emails", { ids: [ids[0]], snoozedUntil: null });
    expect(await subjects(api, "snoozed=true")).toHaveLength(1);
    expect(await subjects(api, "status=inbox")).toHaveLength(1);
  });

  it("brings an archived email back to the inbox, unless the request says otherwise", async () => {
    const { id } = await storeMail(api, "archived", { status: "archived" });
    expect((await api.patch(`/api/emails/${id}`, { snoozeText: "tomorrow" })).body.status).toBe("inbox");
    const { body } = await api.patch(`/api/emails/${id}`, { snoozeText: "tomorrow", status: "archived" });
    expect(body.status).toBe("archived");
  });
});

describe("the numbers of the boxes", () => {
  it("follow every change, and a snooze by the minute", async () => {
    const none = { count: 0, unread: 0 };
    const empty = { inbox: none, snoozed: none, archived: none, sent: none, starred: none, spam: none, trash: none };
    expect(await boxes()).toEqual(empty);
    const one = await storeMail(api, "box");
    const two = await storeMail(api, "box", { isStarred: true });
    await storeMail(api, "box", { direction: "outbound" });
    expect(await boxes()).toEqual({
      ...empty,
      inbox: { count: 2, unread: 2 },
      archived: { count: 1, unread: 0 },
      sent: { count: 1, unread: 0 },
      starred: { count: 1, unread: 1 },
    });
    await api.patch(`/api/emails/${one.id}`, { isRead: true });
    await api.patch(`/api/emails/${two.id}`, { snoozedUntil: at(10) });
    expect(await boxes()).toMatchObject({ inbox: { count: 1, unread: 0 }, snoozed: { count: 1, unread: 1 } });
    setClock(NOW + 10 * 60_000);
    expect(await boxes()).toMatchObject({ inbox: { count: 2, unread: 1 }, snoozed: none });
    await api.patch("/api/emails", { ids: [one.id, two.id], status: "trash" });
    expect(await boxes()).toMatchObject({ inbox: none, starred: none, trash: { count: 2, unread: 1 } });
    const { body: stats } = await api.get("/api/stats");
    expect([stats.totalEmails, stats.unreadEmails, stats.emailsByTag]).toEqual([1, 0, { box: 1 }]);
    expect((await api.get("/api/emails/tags")).body.data).toEqual([{ tag: "box", count: 1, unread: 0 }]);
    await api.patch(`/api/emails/${two.id}`, { status: "archived", isRead: true });
    expect(await boxes()).toMatchObject({ archived: { count: 2, unread: 0 }, starred: { count: 1, unread: 0 } });
    expect((await api.get("/api/emails/tags")).body.data).toEqual([{ tag: "box", count: 2, unread: 0 }]);
    for (const id of [one.id, two.id]) await api.delete(`/api/emails/${id}`);
    expect(await boxes()).toMatchObject({ trash: none, starred: none, archived: { count: 1 } });
  });
});
