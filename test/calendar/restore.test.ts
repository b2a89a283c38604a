import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recount } from "../../src/db/recount.ts";
import { runSchedule } from "../../src/schedule.ts";
import { signedInPerson } from "../auth/people.ts";
import { type Answer, expectProblem, service } from "../harness.ts";
import { asSystem } from "../webhooks/receiver.ts";
import { api, apply, call, EVENTS, event, ics, writeTo } from "./inviting.ts";

let feed = "";
let exported: () => Promise<unknown>;
beforeAll(async () => {
  await writeTo("grace@example.com");
  const { token, email } = await signedInPerson();
  feed = (await api.post("/api/calendar/feed", undefined, { token })).body.url.slice("http://poa.test".length);
  const owner = service({ OWNER_EMAIL: email });
  exported = async () => (await owner.get("/api/settings/data/export", { token })).body.data.events;
});
afterAll(async () => {
  const { differences } = await recount(async (sql) => (await env.DB.prepare(sql).all<Cells>()).results);
  expect(differences).toEqual([]);
});

type Cells = Record<string, string | number | null>;

const restore = (id: number, query = "", headers: Record<string, string> = {}) =>
  api.post(`${EVENTS}/${id}/restore${query}`, undefined, { headers });
const remove = async (path: string) => expect((await api.delete(`${EVENTS}/${path}`)).status).toBe(204);
const rowsWith = async (uid: string) =>
  (await env.DB.prepare("SELECT count(*) AS n FROM events WHERE ical_uid = ?").bind(uid).first<{ n: number }>())?.n;

/** All that a person or a program sees of a month: with the times of changes and versions left out. */
async function seen(month: string): Promise<string> {
  const range = `start=${month}-01T00:00:00Z&end=${month}-28T00:00:00Z`;
  const paths = [
    `${EVENTS}?${range}`,
    `/api/calendar/freebusy?${range}`,
    "/api/calendar/stats",
    "/api/calendar/upcoming?limit=100",
    "/api/reminders/upcoming?limit=100",
    "/api/tasks?limit=100",
    feed,
  ];
  const answers: Answer[] = await Promise.all(paths.map((path) => api.get(path)));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return JSON.stringify([...answers.map(({ body }) => body), await exported()])
    .replace(/"(version|sequence|updatedAt)":("[^"]*"|\d+)/g, "")
    .replace(/(SEQUENCE|DTSTAMP|LAST-MODIFIED):\w+/g, "");
}

describe("a deleted event", () => {
  it("is restored with its id, UID, guests, reminders and tasks, and is seen nowhere until then", async () => {
    const made = await api.post(EVENTS, {
      title: "Tooth extraction",
      start: "2061-01-10T09:00:00Z",
      attendees: [{ email: "ann@example.com", response: "accepted" }],
      reminders: [{ minutesBefore: 30 }],
      tags: ["health"],
    });
    const { id, icalUid } = made.body;
    const { body: task } = await api.post("/api/tasks", { title: "Call a taxi", eventId: id });
    const { body: other } = await api.post("/api/tasks", { title: "Buy soup", eventId: id });
    const before = await seen("2061-01");
    expect(before).toContain("Tooth extraction");
    await remove(`${id}`);
    const without = await seen("2061-01");
    expect(without).not.toContain("Tooth extraction");
    expect(without).not.toContain(`"eventId":${id}`);
    // A task that was linked elsewhere meanwhile stays there.
    const { body: elsewhere } = await api.post(EVENTS, { title: "Elsewhere", start: "2061-03-10T09:00:00Z" });
    await api.patch(`/api/tasks/${other.id}`, { eventId: elsewhere.id });
    const { status, headers, body } = await restore(id);
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe('"2"');
    expect(body).toEqual({ ...made.body, version: 2, sequence: 1, updatedAt: body.updatedAt, conflicts: [] });
    expect(body.icalUid).toBe(icalUid);
    expect((await api.get(`/api/tasks/${task.id}`)).body.eventId).toBe(id);
    expect((await api.get(`/api/tasks/${other.id}`)).body.eventId).toBe(elsewhere.id);
    await api.patch(`/api/tasks/${other.id}`, { eventId: id });
    await remove(`${elsewhere.id}`);
    expect(await seen("2061-01")).toBe(before);
  });

  it("is restored once by parallel requests, and a repeated one finds it", async () => {
    const { body } = await api.post(EVENTS, { title: "Once", start: "2061-02-10T09:00:00Z" });
    const path = `${EVENTS}/${body.id}`;
    const deletions = await Promise.all(Array.from({ length: 4 }, () => api.delete(path)));
    expect(deletions.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    const restored = await Promise.all(Array.from({ length: 4 }, () => restore(body.id)));
    expect(restored.map(({ status, body: { version } }) => [status, version])).toEqual(Array(4).fill([200, 2]));
    await Promise.all([api.delete(path), restore(body.id), api.delete(path), restore(body.id)]);
    expect(await rowsWith(body.icalUid)).toBeLessThanOrEqual(1);
    expect((await restore(body.id)).status).toBe(200);
    expect(await rowsWith(body.icalUid)).toBe(1);
    const kept = await env.DB.prepare("SELECT 1 FROM deleted_events WHERE id = ?").bind(body.id).all();
    expect(kept.results).toEqual([]);
  });

  it("honours If-Match: the version that was deleted, then the one that is there", async () => {
    const { body } = await api.post(EVENTS, { title: "Matched", start: "2061-02-11T09:00:00Z" });
    await remove(`${body.id}`);
    expectProblem(await restore(body.id, "", { "if-match": '"2"' }), 412, "version_conflict");
    expect((await restore(body.id, "", { "if-match": '"1"' })).body.version).toBe(2);
    expectProblem(await restore(body.id, "", { "if-match": '"1"' }), 412, "version_conflict");
    expect((await restore(body.id, "", { "if-match": '"2"' })).status).toBe(200);
    const path = `${EVENTS}/${body.id}`;
    const stale = await api.patch(path, { title: "x" }, { headers: { "if-match": '"1"' } });
    expectProblem(stale, 412, "version_conflict");
    expect((await api.patch(path, { title: "Yes" }, { headers: { "if-match": '"2"' } })).status).toBe(200);
  });

  it("cannot be restored after a day, and is gone for good after the next night", async () => {
    const { body } = await api.post(EVENTS, { title: "Too late", start: "2061-02-12T09:00:00Z" });
    const { body: recent } = await api.post(EVENTS, { title: "In time", start: "2061-02-12T11:00:00Z" });
    await remove(`${body.id}`);
    await remove(`${recent.id}`);
    await env.DB.prepare("UPDATE deleted_events SET expires_at = expires_at - 86400001 WHERE id = ?")
      .bind(body.id)
      .run();
    expectProblem(await restore(body.id), 404, "not_found");
    await asSystem((ctx) => runSchedule("17 3 * * *", ctx));
    const kept = await env.DB.prepare("SELECT key FROM deleted_events WHERE id IN (?, ?)")
      .bind(body.id, recent.id)
      .all();
    expect(kept.results).toEqual([{ key: String(recent.id) }]);
    expect((await restore(recent.id)).status).toBe(200);
  });

  it("says what is in its way, and is left alone when another event has its UID", async () => {
    const { body } = await api.post(EVENTS, { title: "Double", start: "2061-02-13T09:00:00Z" });
    await remove(`${body.id}`);
    const { body: since } = await api.post(EVENTS, { title: "Since", start: "2061-02-13T09:15:00Z" });
    expect((await restore(body.id)).body.conflicts).toMatchObject([{ id: since.id, title: "Since" }]);
    await remove(`${body.id}`);
    await env.DB.prepare("UPDATE events SET ical_uid = ? WHERE id = ?").bind(body.icalUid, since.id).run();
    expectProblem(await restore(body.id), 409, "undo_outdated");
    expect(await rowsWith(body.icalUid)).toBe(1);
    expectProblem(await restore(999_999), 404, "not_found");
  });
});

describe("a deleted series", () => {
  const weekly = (title: string, start: string) =>
    api.post(EVENTS, { title, start, rrule: "FREQ=WEEKLY;COUNT=4", reminders: [{ minutesBefore: 10 }] });

  it("is restored with its edited occurrences and their tasks, and without those deleted before", async () => {
    const { body } = await weekly("Choir", "2062-01-02T18:00:00Z");
    const path = `${body.id}?occurrence=2062-01-09T18:00:00Z`;
    const { body: edited } = await api.patch(`${EVENTS}/${path}`, { title: "Concert", start: "2062-01-10T19:00:00Z" });
    await api.post("/api/tasks", { title: "Iron the shirt", eventId: edited.id });
    await remove(`${body.id}?occurrence=2062-01-16T18:00:00Z`);
    const before = await seen("2062-01");
    expect(before).toContain("Concert");
    await remove(`${body.id}`);
    expect(await seen("2062-01")).not.toMatch(/Choir|Concert/);
    const restored = await Promise.all([restore(body.id), restore(body.id)]);
    expect(restored.map(({ status }) => status)).toEqual([200, 200]);
    expect(await rowsWith(body.icalUid)).toBe(2);
    expect(await seen("2062-01")).toBe(before);
    expect((await api.get(`${EVENTS}/${edited.id}`)).body).toMatchObject({
      icalUid: body.icalUid,
      recurringEventId: body.id,
      version: edited.version + 1,
      sequence: edited.sequence + 1,
    });
    // The deletion before that can still be taken back, and the next one is kept anew.
    expect((await restore(body.id, "?occurrence=2062-01-16T18:00:00Z")).status).toBe(200);
    await remove(path);
    await remove(`${body.id}`);
    expect((await restore(body.id)).status).toBe(200);
    expectProblem(await api.get(`${EVENTS}/${path}`), 404, "not_found");
    expect((await restore(body.id, `?occurrence=2062-01-09T18:00:00Z`)).body).toMatchObject({ title: "Concert" });
  });

  it("gets one occurrence back, edited or not", async () => {
    const { body } = await weekly("Yoga", "2062-03-01T18:00:00Z");
    const at = (start: string) => `?occurrence=${start}`;
    const derived = at("2062-03-08T18:00:00Z");
    const moved = at("2062-03-15T18:00:00Z");
    const { body: edited } = await api.patch(`${EVENTS}/${body.id}${moved}`, { start: "2062-03-16T20:00:00Z" });
    const { body: task } = await api.post("/api/tasks", { title: "Bring a mat", eventId: edited.id });
    const before = await seen("2062-03");
    const version = async () => (await api.get(`${EVENTS}/${body.id}`)).body.version;
    const first = await version();
    await remove(`${body.id}${derived}`);
    await remove(`${body.id}${moved}`);
    expect(await seen("2062-03")).not.toBe(before);
    const back = await Promise.all([derived, moved, derived, moved].map((query) => restore(body.id, query)));
    expect(back.map(({ status, body: { start } }) => [status, start])).toEqual([
      [200, "2062-03-08T18:00:00.000Z"],
      [200, "2062-03-16T20:00:00.000Z"],
      [200, "2062-03-08T18:00:00.000Z"],
      [200, "2062-03-16T20:00:00.000Z"],
    ]);
    expect(back[0]?.body).toMatchObject({ id: body.id, recurringEventId: body.id, conflicts: [] });
    expect(await version()).toBe(first + 4);
    expect(await seen("2062-03")).toBe(before);
    expect((await api.get(`/api/tasks/${task.id}`)).body.eventId).toBe(edited.id);
    // An edited occurrence has an id of its own.
    await remove(`${edited.id}`);
    expect((await restore(edited.id)).body).toMatchObject({ id: edited.id, start: "2062-03-16T20:00:00.000Z" });
    expect(await seen("2062-03")).toBe(before);
    expect(await rowsWith(body.icalUid)).toBe(2);
  });

  it("gets no occurrence back that its rule no longer has, nor one while it is deleted itself", async () => {
    const { body } = await weekly("Drums", "2062-05-01T18:00:00Z");
    const query = "?occurrence=2062-05-15T18:00:00Z";
    await remove(`${body.id}${query}`);
    await api.patch(`${EVENTS}/${body.id}`, { rrule: "FREQ=WEEKLY;COUNT=2" });
    expectProblem(await restore(body.id, query), 409, "undo_outdated");
    await api.patch(`${EVENTS}/${body.id}`, { start: "2062-05-02T18:00:00Z" });
    expectProblem(await restore(body.id, query), 409, "undo_outdated");
    await remove(`${body.id}`);
    expectProblem(await restore(body.id, query), 404, "not_found");
    expectProblem(await restore(body.id, "?occurrence=2062-05-09T18:00:00Z"), 404, "not_found");
  });
});

describe("a deleted event from outside", () => {
  it("of a booking is restored, keeps what its booking changed meanwhile, and stays marked after a day", async () => {
    const booked = { title: "Intro call", start: "2063-01-10T09:00:00Z", bookingId: "bk-restore" };
    const { body } = await api.post(EVENTS, booked);
    const before = await seen("2063-01");
    await remove(`${body.id}`);
    expect(await seen("2063-01")).not.toContain("Intro call");
    expect((await restore(body.id)).body).toMatchObject({
      id: body.id,
      version: 3,
      sequence: 1,
      bookingId: "bk-restore",
    });
    expect(await seen("2063-01")).toBe(before);
    await remove(`${body.id}`);
    await env.DB.prepare("UPDATE events SET end_at = end_at + 36000000, version = version + 1 WHERE id = ?")
      .bind(body.id)
      .run();
    expect((await restore(body.id)).body.end).toBe("2063-01-10T19:30:00.000Z");
    const busy = await api.get("/api/calendar/freebusy?start=2063-01-10T18:00:00Z&end=2063-01-10T19:00:00Z");
    expect(JSON.stringify(busy.body)).toContain("2063-01-10T18:00:00.000Z");
    await remove(`${body.id}`);
    await env.DB.prepare("UPDATE deleted_events SET expires_at = 1 WHERE id = ?").bind(body.id).run();
    await asSystem((ctx) => runSchedule("17 3 * * *", ctx));
    expectProblem(await restore(body.id), 404, "not_found");
    expect(await rowsWith(body.icalUid)).toBe(1);
    // The provider can bring it back, as always.
    expect((await api.post(EVENTS, booked)).status).toBe(200);
  });

  it("of an email is restored with its question and its response, and follows its organizer from then on", async () => {
    const weekly = call("20630201T090000", "RRULE:FREQ=WEEKLY;COUNT=3");
    const { results } = await apply(ics("REQUEST", "uid-restore", 1, weekly));
    const id = results[0]?.eventId ?? 0;
    const { body: asked } = await api.get(`${EVENTS}/${id}`);
    const { body: edited } = await api.patch(`${EVENTS}/${id}?occurrence=2063-02-08T08:00:00Z`, { notes: "Slides" });
    await remove(`${id}`);
    expect((await apply(ics("REQUEST", "uid-restore", 1, weekly))).results[0]?.action).toBe("outdated");
    const { body } = await restore(id);
    expect(body).toMatchObject({
      awaitsAnswer: asked.awaitsAnswer,
      myResponse: asked.myResponse,
      status: asked.status,
    });
    expect(await event(edited.id)).toMatchObject({ notes: "Slides", recurringEventId: id });
    expect((await apply(ics("REQUEST", "uid-restore", 1, weekly))).results[0]?.action).toBe("unchanged");
    const later = call("20630201T100000", "RRULE:FREQ=WEEKLY;COUNT=3");
    expect((await apply(ics("REQUEST", "uid-restore", 2, later))).results[0]?.action).toBe("updated");
    expect(await event(id)).toMatchObject({ start: "2063-02-01T09:00:00.000Z" });
  });

  it("of an email gets one occurrence back, unless its organizer has changed the series since", async () => {
    const weekly = call("20630301T090000", "RRULE:FREQ=WEEKLY;COUNT=4");
    const { results } = await apply(ics("REQUEST", "uid-restore-one", 1, weekly));
    const id = results[0]?.eventId ?? 0;
    const query = "?occurrence=2063-03-08T08:00:00Z";
    await remove(`${id}${query}`);
    expect((await restore(id, query)).status).toBe(200);
    // It is no longer among those that no update brings back.
    await apply(ics("REQUEST", "uid-restore-one", 2, `${weekly}\nLOCATION:Room 2`));
    expect((await api.get(`${EVENTS}/${id}${query}`)).body).toMatchObject({ location: "Room 2" });
    await remove(`${id}${query}`);
    const without = `${weekly}\nEXDATE;TZID=W. Europe Standard Time:20630308T090000`;
    expect((await apply(ics("REQUEST", "uid-restore-one", 3, without))).results[0]?.action).toBe("updated");
    expectProblem(await restore(id, query), 404, "not_found");
    expectProblem(await api.get(`${EVENTS}/${id}${query}`), 404, "not_found");
  });
});
