import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { contextFor, signedInPerson } from "../auth/people.ts";
import { emptyService, service } from "../harness.ts";
import { api, apply, EVENTS, event, ics, writeTo } from "./inviting.ts";

const EVE = "eve@example.org";
const people = (organizer: string, partstat = "NEEDS-ACTION") =>
  `SUMMARY:Call\nORGANIZER:mailto:${organizer}\nATTENDEE;PARTSTAT=${partstat}:mailto:hello@example.com`;
const at = (day: number, hour = "09") => `205303${String(day).padStart(2, "0")}T${hour}0000Z`;
const daily = (hour: string, more = "") => `DTSTART:${at(1, hour)}\nDURATION:PT1H\nRRULE:FREQ=DAILY\n${more}`;
const occurrence = (day: number, more: string) =>
  `RECURRENCE-ID:${at(day)}\nDTSTART:${at(day)}\nDURATION:PT1H\n${more}`;

async function invite(uid: string, lines: string, from = EVE): Promise<number> {
  const { results } = await apply(ics("REQUEST", uid, 0, lines), { from });
  expect(results[0]?.action).toBe("created");
  return results[0]?.eventId ?? 0;
}

const accept = (id: number, query = "") =>
  api.post(`${EVENTS}/${id}/respond${query}`, { response: "accepted", notify: false });

/** An automation accepts: the sender stays a stranger. */
async function acceptByKey(id: number): Promise<void> {
  const ctx = await contextFor((await signedInPerson("owner")).token);
  const { key } = await createApiKey(ctx, { name: "Robot", scopes: ["calendar:write"], expiresAt: null });
  const body = { response: "accepted", notify: false };
  const { status } = await service({ ACCESS_MODE: "private" }).post(`${EVENTS}/${id}/respond`, body, { token: key });
  expect(status).toBe(200);
}

const shownOn = async (day: number) => {
  const date = `2053-03-${String(day).padStart(2, "0")}`;
  return (await api.get(`${EVENTS}?start=${date}T00:00:00Z&end=${date}T23:59:00Z`)).body.data;
};

describe("an update of an accepted invitation", () => {
  beforeEach(emptyService);

  it("moves no accepted time of a stranger's series, not even that of an edited occurrence", async () => {
    const id = await invite("move-series", daily("09", people(EVE)));
    await acceptByKey(id);
    await apply(ics("REQUEST", "move-series", 1, occurrence(3, `${people(EVE)}\nLOCATION:Here`)), { from: EVE });
    expect(await shownOn(3)).toMatchObject([{ location: "Here", status: "confirmed", busy: true }]);
    await apply(ics("REQUEST", "move-series", 2, daily("14", people(EVE))), { from: EVE });
    const unanswered = { status: "tentative", busy: false, awaitsAnswer: true, myResponse: "needs_action" };
    expect(await shownOn(3)).toMatchObject([{ location: "Here", start: "2053-03-03T14:00:00.000Z", ...unanswered }]);
    expect(await shownOn(4)).toMatchObject([unanswered]);
  });

  it("asks again if it takes exceptions back, and blocks nothing if it is a stranger's", async () => {
    const exceptions = [2, 3, 4, 5].map((day) => `EXDATE:${at(day)}`).join("\n");
    const id = await invite("fewer-exceptions", daily("09", `${exceptions}\n${people(EVE)}`));
    await acceptByKey(id);
    expect(await event(id)).toMatchObject({ busy: true, awaitsAnswer: false });
    await apply(ics("REQUEST", "fewer-exceptions", 1, daily("09", people(EVE))), { from: EVE });
    expect(await event(id)).toMatchObject({ status: "tentative", busy: false, awaitsAnswer: true, exdates: [] });
  });

  it("asks again for a new time, even if the file claims that the person agreed", async () => {
    await writeTo("grace@example.com");
    const id = await invite("claims", `DTSTART:${at(1)}\n${people("grace@example.com")}`, "grace@example.com");
    await accept(id);
    const moved = `DTSTART:${at(2)}\n${people("grace@example.com", "ACCEPTED")}`;
    await apply(ics("REQUEST", "claims", 1, moved));
    expect(await event(id)).toMatchObject({ status: "tentative", awaitsAnswer: true, myResponse: "needs_action" });
  });

  it("brings back no occurrence that the person has deleted", async () => {
    await writeTo("grace@example.com");
    const id = await invite("deleted-one", daily("09", people("grace@example.com")), "grace@example.com");
    await accept(id);
    await api.delete(`${EVENTS}/${id}?occurrence=2053-03-03T09:00:00Z`);
    const text = daily("09", `EXDATE:${at(5)}\nLOCATION:Here\n${people("grace@example.com")}`);
    expect((await apply(ics("REQUEST", "deleted-one", 1, text))).results).toMatchObject([{ action: "updated" }]);
    expect(await event(id)).toMatchObject({ location: "Here", status: "confirmed", awaitsAnswer: false });
    expect([await shownOn(3), await shownOn(5)]).toEqual([[], []]);
    expect(await shownOn(4)).toHaveLength(1);
  });
});

describe("a stranger", () => {
  beforeEach(emptyService);

  it("adds no more events by replying to occurrences of their own series", async () => {
    const attendee = `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${EVE}`;
    await invite("replies", daily("09", `ORGANIZER:mailto:${EVE}\n${attendee}`));
    for (let day = 2; day < 12; day++) {
      const text = ics("REPLY", "replies", 0, occurrence(day, attendee.replace("ACCEPTED", "DECLINED")));
      await apply(text, { from: EVE });
    }
    const stored = await env.DB.prepare("SELECT count(*) AS count FROM events").first<{ count: number }>();
    expect(stored?.count).toBe(5);
  });

  it("cannot keep out the invitation of somebody the person knows by taking its UID first", async () => {
    await writeTo("grace@example.com");
    const real = ics("REQUEST", "taken", 0, daily("10", people("grace@example.com")));
    await invite("taken", daily("09", people(EVE)));
    await apply(ics("REQUEST", "taken", 1, occurrence(3, `${people(EVE)}\nLOCATION:Trap`)), { from: EVE });
    const [first, second] = await Promise.all([apply(real), apply(real)]);
    const [created] = [...first.results, ...second.results].filter(({ action }) => action === "created");
    expect(await event(created?.eventId)).toMatchObject({ busy: true, organizer: { email: "grace@example.com" } });
    expect(await shownOn(3)).toMatchObject([{ start: "2053-03-03T10:00:00.000Z", location: null }]);
    const late = await apply(ics("REQUEST", "taken", 9, daily("09", people(EVE))), { from: EVE });
    expect(late.results).toMatchObject([{ action: "ignored" }]);
  });

  it("keeps a UID whose invitation the person has accepted, also one occurrence of it", async () => {
    await writeTo("grace@example.com");
    const id = await invite("kept", daily("09", people(EVE)));
    await accept(id, "?occurrence=2053-03-03T09:00:00Z");
    const { results } = await apply(ics("REQUEST", "kept", 5, daily("10", people("grace@example.com"))));
    expect(results).toMatchObject([{ action: "ignored", reason: "the sender is not the organizer" }]);
  });

  it("cannot slow the calendar down with thousands of exceptions", async () => {
    const many = Array.from(
      { length: 1001 },
      (_, n) => `EXDATE:${new Date(Date.UTC(2053, 2, n + 2, 9)).toISOString().replaceAll(/[-:]|\.000/g, "")}`,
    );
    const text = ics("REQUEST", "exceptions", 0, daily("09", many.join("\n")));
    await expect(apply(text, { from: EVE })).rejects.toThrow(/more than 1000 exceptions/);
  });
});
