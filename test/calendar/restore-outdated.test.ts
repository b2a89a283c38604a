import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { passOn, watchDatabase } from "../measured.ts";
import { api, apply, call, EVENTS, event, ics, writeTo } from "./inviting.ts";

beforeAll(() => writeTo("grace@example.com"));

const restore = (id: number, query = "") => api.post(`${EVENTS}/${id}/restore${query}`);
const remove = async (path: string) => expect((await api.delete(`${EVENTS}/${path}`)).status).toBe(204);
const ZONE = "TZID=W. Europe Standard Time";

/** An invitation that the person has accepted. */
async function accepted(uid: string, lines: string): Promise<number> {
  const id = (await apply(ics("REQUEST", uid, 1, lines))).results[0]?.eventId ?? 0;
  const answer = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted", notify: false });
  expect(answer.body).toMatchObject({ status: "confirmed" });
  return id;
}

describe("an invitation that was deleted", () => {
  it("and then cancelled by its organizer is not restored; an outdated or a stranger's CANCEL does not count", async () => {
    const lines = call("20640110T090000");
    const id = await accepted("uid-outdated", lines);
    await apply(ics("REQUEST", "uid-outdated", 2, `${lines}\nLOCATION:Room 2`));
    await remove(`${id}`);
    expect((await apply(ics("CANCEL", "uid-outdated", 1, lines))).results[0]?.action).toBe("outdated");
    const strange = await apply(ics("CANCEL", "uid-outdated", 3, lines), { from: "eve@example.com" });
    expect(strange.results[0]?.action).toBe("ignored");
    await apply(ics("CANCEL", "uid-outdated", 3, lines), { isVerified: false });
    expect((await restore(id)).body).toMatchObject({ id, status: "confirmed", location: "Room 2" });
    await remove(`${id}`);
    await apply(ics("CANCEL", "uid-outdated", 3, lines));
    expectProblem(await restore(id), 404, "not_found");
    expectProblem(await api.get(`${EVENTS}/${id}`), 404, "not_found");
  });

  it("is never confirmed after a CANCEL, even if both come at once", async () => {
    const lines = call("20640111T090000");
    for (let round = 0; round < 5; round++) {
      const uid = `uid-outdated-race-${round}`;
      const id = await accepted(uid, lines);
      await remove(`${id}`);
      await Promise.all([apply(ics("CANCEL", uid, 2, lines)), restore(id), restore(id)]);
      expect((await event(id)).status).toBeOneOf([404, "cancelled"]);
      expect((await restore(id)).body.status).toBeOneOf([404, "cancelled"]);
    }
  });

  it("and then moved does not return to its old time, whether or not its SEQUENCE was raised", async () => {
    const id = await accepted("uid-outdated-moved", call("20640112T090000"));
    await remove(`${id}`);
    const later = call("20640112T150000");
    const stamped = ics("REQUEST", "uid-outdated-moved", 1, later).replace(/DTSTAMP:\w+/, "DTSTAMP:20521231T000000Z");
    expect((await apply(stamped)).results[0]?.action).toBe("outdated");
    expectProblem(await restore(id), 404, "not_found");
    await apply(ics("REQUEST", "uid-outdated-moved", 2, later));
    const asked = { start: "2064-01-12T14:00:00.000Z", status: "tentative", awaitsAnswer: true };
    expect((await restore(id)).body).toMatchObject(asked);
  });

  it("can still be restored after its organizer has only sent it again", async () => {
    const lines = call("20640113T090000");
    const id = await accepted("uid-outdated-again", lines);
    await remove(`${id}`);
    const again = ics("REQUEST", "uid-outdated-again", 1, lines).replace(/DTSTAMP:\w+/, "DTSTAMP:20521231T000000Z");
    expect((await apply(again)).results[0]?.action).toBe("outdated");
    expect((await restore(id)).body).toMatchObject({ status: "confirmed" });
  });
});

describe("an occurrence of an invitation that was deleted", () => {
  const weekly = (day: string) => call(`${day}T090000`, "RRULE:FREQ=WEEKLY;COUNT=4");
  const one = (day: string, time: string) => call(`${day}T${time}`, `RECURRENCE-ID;${ZONE}:${day}T090000`);

  it.each(["CANCEL", "REQUEST"])("is not restored after its organizer's %s of it", async (method) => {
    const uid = `uid-outdated-${method}`;
    const id = await accepted(uid, weekly("20640201"));
    const [second, third, fourth] = ["08", "15", "22"].map((day) => `?occurrence=2064-02-${day}T08:00:00Z`);
    const { body: edited } = await api.patch(`${EVENTS}/${id}${third}`, { notes: "Slides" });
    await remove(`${id}${second}`);
    await remove(`${edited.id}`);
    await remove(`${id}${fourth}`);
    await apply(ics(method, uid, 2, one("20640208", "160000")));
    await apply(ics(method, uid, 2, one("20640215", "160000")));
    expectProblem(await restore(id, second), 404, "not_found");
    expectProblem(await restore(edited.id), 404, "not_found");
    expect((await restore(id, fourth)).body).toMatchObject({ status: "confirmed" });
  });

  it("keeps its whole series from being restored once its organizer has changed it", async () => {
    for (const method of ["CANCEL", "REQUEST"]) {
      const uid = `uid-outdated-whole-${method}`;
      const id = await accepted(uid, weekly("20640301"));
      await remove(`${id}`);
      await apply(ics(method, uid, 2, one("20640308", "160000")));
      expectProblem(await restore(id), 404, "not_found");
    }
  });

  it("is not restored into a series that its organizer has cancelled, even if the clocks differ", async () => {
    const uid = "uid-outdated-series";
    const id = await accepted(uid, weekly("20640401"));
    const { body: edited } = await api.patch(`${EVENTS}/${id}?occurrence=2064-04-08T07:00:00Z`, { notes: "Slides" });
    await remove(`${edited.id}`);
    const cancelled = ics("CANCEL", uid, 2, weekly("20640401")).replace(/DTSTAMP:\w+/, "DTSTAMP:20200101T000000Z");
    expect((await apply(cancelled)).results[0]?.action).toBe("cancelled");
    expectProblem(await restore(edited.id), 404, "not_found");
  });
});

describe("an event of one's own", () => {
  /** Sends a request to restore, and does something else after its first read. */
  async function restoreAround(path: string, meanwhile: () => Promise<unknown>) {
    let rounds = 0;
    const first = async <Result>(results: Result) => {
      if (rounds++ === 0) await meanwhile();
      return results;
    };
    const DB = watchDatabase(env.DB, {
      statement: async (...call) => first(await passOn(...call)),
      batch: async (statements, send) => first(await send(statements)),
    });
    const { status } = await service({ DB }).post(`${EVENTS}/${path}`);
    return status;
  }

  it("is found by a request to restore it while others delete and restore it", async () => {
    const { body } = await api.post(EVENTS, { title: "Busy", start: "2064-05-01T09:00:00Z" });
    const rule = { start: "2064-05-01T11:00:00Z", rrule: "FREQ=DAILY;COUNT=4" };
    const { body: series } = await api.post(EVENTS, { title: "Busy series", ...rule });
    const edited = "?occurrence=2064-05-03T11:00:00Z";
    await api.patch(`${EVENTS}/${series.id}${edited}`, { notes: "Cake" });
    const all = [
      [body.id, ""],
      [series.id, "?occurrence=2064-05-02T11:00:00Z"],
      [series.id, edited],
    ];
    for (const [id, query] of all) {
      const path = `${id}/restore${query}`;
      expect(await restoreAround(path, () => remove(`${id}${query}`))).toBe(200);
      expect(await restoreAround(path, () => restore(id, query))).toBe(200);
      expect((await api.get(`${EVENTS}/${id}${query}`)).status).toBe(200);
    }
  });

  it("gets no occurrence back after its series was moved", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Moved",
      start: "2064-06-01T18:00:00Z",
      rrule: "FREQ=WEEKLY;COUNT=4",
    });
    const query = "?occurrence=2064-06-08T18:00:00Z";
    const { body: edited } = await api.patch(`${EVENTS}/${body.id}?occurrence=2064-06-15T18:00:00Z`, { notes: "Cake" });
    await remove(`${body.id}${query}`);
    await remove(`${edited.id}`);
    await api.patch(`${EVENTS}/${body.id}`, { start: "2064-06-01T20:00:00Z" });
    expectProblem(await restore(body.id, query), 409, "undo_outdated");
    expectProblem(await restore(edited.id), 409, "undo_outdated");
    await api.patch(`${EVENTS}/${body.id}`, { start: "2064-06-01T18:00:00Z" });
    expect((await restore(body.id, query)).status).toBe(200);
    expect((await restore(edited.id)).body).toMatchObject({ notes: "Cake" });
  });

  it("gets an edited occurrence back by its own id and as part of its series, whichever deleted it", async () => {
    const { body } = await api.post(EVENTS, {
      title: "Two names",
      start: "2064-07-01T18:00:00Z",
      rrule: "FREQ=WEEKLY",
    });
    const query = "?occurrence=2064-07-08T18:00:00Z";
    const { body: edited } = await api.patch(`${EVENTS}/${body.id}${query}`, { notes: "Cake" });
    for (const path of [`${edited.id}`, `${body.id}${query}`]) {
      await remove(path);
      expect((await restore(body.id, query)).body).toMatchObject({ id: edited.id, notes: "Cake" });
      await remove(path);
      expect((await restore(edited.id)).body).toMatchObject({ id: edited.id, notes: "Cake" });
      expect((await restore(edited.id)).status).toBe(200);
    }
  });
});
