import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { contextFor, registerPerson, signedInPerson } from "../auth/people.ts";
import { deliver } from "../emails/deliver.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { api, apply, call, EVENTS, event, ics, writeTo } from "./inviting.ts";

const SLOTS = "/api/calendar/slots?durationMinutes=30&timeZone=UTC";
const MONDAY = "start=2053-03-03T00:00:00Z&end=2053-03-04T00:00:00Z";
const FREEBUSY = `/api/calendar/freebusy?${MONDAY}`;

let strangers = 0;
const stranger = () => `stranger-${++strangers}@example.org`;

/** An email with a calendar part, as a server on the internet sends it. */
function mailOf(from: string, text: string): string {
  const head = `From: ${from}\nTo: hello@example.com\nMessage-ID: <${crypto.randomUUID()}@example.org>\nSubject: Invitation`;
  return `${head}\nContent-Type: text/calendar; method=REQUEST; charset=utf-8\n\n${text}`;
}

const endless = (uid: string, more = "") =>
  ics("REQUEST", uid, 0, `DTSTART:20530301T000000Z\nDURATION:P1D\nRRULE:FREQ=DAILY\nSUMMARY:Everything\n${more}`);

describe("an invitation from a stranger", () => {
  beforeEach(emptyService);

  it("takes no slot, even as an endless daily series", async () => {
    const free = (await api.get(`${SLOTS}&${MONDAY}`)).body.slots;
    expect(free.length).toBeGreaterThan(0);
    await deliver(mailOf(stranger(), endless("stranger-endless")), { from: "x@example.org" });
    const { body } = await api.get(`${EVENTS}?${MONDAY}`);
    expect(body.data).toMatchObject([
      { title: "Everything", status: "tentative", busy: false, awaitsAnswer: true, myResponse: "needs_action" },
    ]);
    expect((await api.get(`${SLOTS}&${MONDAY}`)).body.slots).toEqual(free);
    expect((await api.get(FREEBUSY)).body.busy).toEqual([]);
    const mine = { title: "Mine", start: "2053-03-03T10:00:00Z" };
    const created = await api.post(`${EVENTS}?onConflict=reject`, mine);
    expect(created).toMatchObject({ status: 201, body: { conflicts: [] } });
  });

  it("does not become busy or confirmed by any update of the stranger", async () => {
    const from = stranger();
    const { results } = await apply(endless("stranger-update"), { from });
    const id = results[0]?.eventId;
    const tries = [
      "STATUS:CONFIRMED\nTRANSP:OPAQUE",
      `ATTENDEE;PARTSTAT=ACCEPTED:mailto:hello@example.com\nORGANIZER:mailto:${from}`,
      "RRULE:FREQ=WEEKLY\nDTSTART:20530303T000000Z",
    ];
    for (const [at, lines] of tries.entries()) {
      const text = ics("REQUEST", "stranger-update", at + 1, `DTSTART:20530301T000000Z\nSUMMARY:New\n${lines}`);
      expect((await apply(text, { from })).results).toEqual([{ action: "updated", eventId: id }]);
      expect(await event(id)).toMatchObject({ status: "tentative", busy: false, awaitsAnswer: true });
    }
    await api.delete(`${EVENTS}/${id}`);
    await apply(ics("REQUEST", "stranger-update", 9, "DTSTART:20530303T100000Z\nSUMMARY:Back"), { from });
    expect(await event(id)).toMatchObject({ title: "Back", status: "tentative", busy: false, awaitsAnswer: true });
    await writeTo(from);
    const claim = "DTSTART:20530303T100000Z\nATTENDEE;PARTSTAT=ACCEPTED:mailto:hello@example.com";
    await apply(ics("REQUEST", "stranger-update", 10, claim), { from });
    expect(await event(id)).toMatchObject({ status: "tentative", busy: false, awaitsAnswer: true });
  });

  it("is not trusted because it names an organizer whom the person knows", async () => {
    await writeTo("boss@example.com");
    const text = endless("stranger-names", "ORGANIZER;CN=Boss:mailto:boss@example.com");
    const { results } = await apply(text, { from: stranger() });
    expect(await event(results[0]?.eventId)).toMatchObject({ busy: false, awaitsAnswer: true });
  });

  it("is not trusted because it claims to be from an account or a known address that nothing proves", async () => {
    await writeTo("friend@example.com");
    const member = await registerPerson();
    for (const from of ["friend@example.com", member.email]) {
      const { results } = await apply(endless(`unproven-${from}`), { from, isVerified: false });
      expect(await event(results[0]?.eventId)).toMatchObject({ busy: false, awaitsAnswer: true });
    }
  });

  it("without an organizer or an attendee is as little trusted", async () => {
    const { results } = await apply(ics("PUBLISH", "stranger-publish", 0, "DTSTART:20530303T100000Z"), {
      from: stranger(),
    });
    const id = results[0]?.eventId;
    expect(await event(id)).toMatchObject({ status: "tentative", busy: false, awaitsAnswer: true });
    const answer = await api.post(`${EVENTS}/${id}/respond`, { response: "accepted" });
    expect(answer.body).toMatchObject({ status: "confirmed", busy: true, awaitsAnswer: false, notified: false });
  });

  it("comes from no stranger once the person has written to them, or if they have an account", async () => {
    await writeTo("Gina@Example.org");
    const member = await registerPerson();
    for (const from of ["gina@example.org", member.email]) {
      const { results } = await apply(ics("REQUEST", `known-${from}`, 0, "DTSTART:20530303T100000Z"), { from });
      expect(await event(results[0]?.eventId)).toMatchObject({ status: "confirmed", busy: true, awaitsAnswer: false });
    }
  });

  it("stays one from a stranger after an automation wrote to them", async () => {
    const ctx = await contextFor((await signedInPerson("owner")).token);
    const { key } = await createApiKey(ctx, { name: "Robot", scopes: ["emails:write"], expiresAt: null });
    const email = {
      direction: "outbound",
      from: "hello@example.com",
      to: "robot@example.org",
      subject: "Hi",
      body: "x",
    };
    const sent = await service({ ACCESS_MODE: "private" }).post("/api/emails", email, { token: key });
    expect(sent.status, sent.text).toBe(201);
    const { results } = await apply(endless("stranger-robot"), { from: "robot@example.org" });
    expect(await event(results[0]?.eventId)).toMatchObject({ busy: false, awaitsAnswer: true });
  });
});

describe("strangers together", () => {
  beforeEach(async () => {
    await emptyService();
    await writeTo("grace@example.com");
  });

  const invite = (from: string) => {
    const text = ics("REQUEST", crypto.randomUUID(), 0, "DTSTART:20530305T100000Z\nSUMMARY:Noise");
    return apply(text, { from });
  };
  const stored = async () =>
    (await env.DB.prepare("SELECT count(*) AS count FROM events").first<{ count: number }>())?.count;

  it("add at most five events a day for each address, also in parallel and in one file", async () => {
    const from = stranger();
    const answers = await Promise.all(Array.from({ length: 12 }, () => invite(from)));
    const actions = answers.flatMap(({ results }) => results);
    expect(actions.filter(({ action }) => action === "created")).toHaveLength(5);
    expect(actions.find(({ action }) => action === "ignored")?.reason).toContain("too many events");
    expect(await stored()).toBe(5);
    const many = Array.from(
      { length: 9 },
      (_, n) => `BEGIN:VEVENT\nUID:m-${n}\nDTSTART:20530305T100000Z\nEND:VEVENT\n`,
    );
    await apply(ics("REQUEST", "m", 0, "DTSTART:20530305T100000Z", many.join("")), { from: stranger() });
    expect(await stored()).toBe(10);
  });

  it("add at most twenty a day, however many addresses they have, and the email is kept", async () => {
    for (let batch = 0; batch < 3; batch++) {
      await Promise.all(Array.from({ length: 9 }, (_, n) => invite(`eve+${batch}-${n}@example.org`)));
    }
    expect(await stored()).toBe(20);
    await deliver(mailOf("late@example.org", endless("late")), { from: "late@example.org", to: "late@example.com" });
    expect((await api.get("/api/emails?tag=late")).body.data).toHaveLength(1);
    expect(await stored()).toBe(20);
    const known = await apply(ics("REQUEST", "still-known", 0, call("20530305T100000")));
    expect(known.results[0]?.action).toBe("created");
    await env.DB.prepare("UPDATE events SET created_at = created_at - 86400000").run();
    expect((await invite(stranger())).results[0]?.action).toBe("created");
  });

  it("add no more by editing occurrences of a series nobody has accepted", async () => {
    const from = stranger();
    await apply(endless("stranger-series"), { from });
    for (let day = 2; day < 12; day++) {
      const at = `205303${String(day).padStart(2, "0")}T000000Z`;
      await apply(ics("REQUEST", "stranger-series", 1, `RECURRENCE-ID:${at}\nDTSTART:${at}\nSUMMARY:Edited`), { from });
    }
    expect(await stored()).toBe(5);
  });
});

describe("the list of invitations that wait", () => {
  beforeEach(emptyService);

  it("has those without a response, series as occurrences, and no others", async () => {
    await apply(ics("REQUEST", "waits-single", 0, "DTSTART:20530303T100000Z\nSUMMARY:Single"), { from: stranger() });
    await apply(endless("waits-series"), { from: stranger() });
    await api.post(EVENTS, { title: "Mine", start: "2053-03-03T10:00:00Z" });
    const titles = async (query: string) =>
      (await api.get(`${EVENTS}?${query}`)).body.data.map(({ title }: { title: string }) => title);
    expect(await titles(`${MONDAY}&awaitsAnswer=true`)).toEqual(["Everything", "Single"]);
    expect(await titles("awaitsAnswer=true")).toEqual(["Everything", "Single"]);
    expect(await titles("awaitsAnswer=true&limit=1")).toEqual(["Everything"]);
    expect(await titles(`${MONDAY}&awaitsAnswer=false`)).toEqual(["Mine"]);
    const { body } = await api.get(`${EVENTS}?awaitsAnswer=true&limit=1`);
    expect(await titles(`awaitsAnswer=true&limit=1&cursor=${body.nextCursor}`)).toEqual(["Single"]);
    expectProblem(await api.get(`${EVENTS}?awaitsAnswer=maybe`), 422, "validation_failed");
  });
});

describe("a UID that this service gives out", () => {
  beforeEach(() => writeTo("grace@example.com"));

  const text = (uid: string, method = "REQUEST") => ics(method, uid, 5, call("20530310T100000"));

  it("cannot be taken by an invitation, neither while its event exists nor after", async () => {
    const { body } = await api.post(EVENTS, { title: "Mine", start: "2053-03-10T10:00:00Z" });
    for (const uid of [body.icalUid, body.icalUid.toUpperCase()]) {
      expect((await apply(text(uid))).results[0]).toMatchObject({ action: "ignored" });
    }
    await api.delete(`${EVENTS}/${body.id}`);
    for (const uid of [body.icalUid, body.icalUid.toUpperCase()]) {
      expect((await apply(text(uid))).results).toMatchObject([
        { action: "ignored", eventId: null, reason: expect.stringContaining("only this service") },
      ]);
    }
  });

  it("cannot be taken before its event exists", async () => {
    const names = ["email-123456", `text-${"0".repeat(32)}`, "booking-bk_next"];
    for (const name of names) {
      const taken = await apply(text(`${name}@personal-operations-assistant.invalid`));
      expect(taken.results).toMatchObject([{ action: "ignored", eventId: null }]);
    }
  });

  it("is not mistaken for the UID of another sender, such as a bare UUID as Apple writes it", async () => {
    const uuid = crypto.randomUUID();
    for (const uid of [uuid.toUpperCase(), `${uuid}@example.org`]) {
      expect((await apply(text(uid))).results[0]?.action).toBe("created");
    }
  });
});
