import { env } from "cloudflare:workers";
import fc from "fast-check";
import ICAL from "ical.js";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { timeZoneComponent } from "../../src/lib/ics/vtimezone.ts";
import { eventComponent, type IcsEvent } from "../../src/lib/ics/write.ts";
import { toInstant } from "../../src/lib/time-zone.ts";
import { contextFor, PASSWORD, type Person, signedInPerson } from "../auth/people.ts";
import { fakeMail } from "../emails/fake-mail.ts";
import { expectProblem, service } from "../harness.ts";
import { rarely, times } from "../sampled.ts";

const api = service();
let person: Person;
beforeAll(async () => {
  person = await signedInPerson();
});
const EVENTS = "/api/calendar/events";

async function newLink({ token }: { token: string } = person): Promise<string> {
  const { status, body } = await api.post("/api/calendar/feed", undefined, { token });
  expect(status).toBe(201);
  return body.url.slice("http://poa.test".length);
}

function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents("vtimezone")) ICAL.TimezoneService.register(zone);
  return calendar;
}

function eventsOf(text: string, title: string) {
  return read(text)
    .getAllSubcomponents("vevent")
    .filter((event) => event.getFirstPropertyValue("summary") === title);
}

function expectLines(text: string): void {
  const lines = text.split("\r\n");
  const octets = (line: string) => new TextEncoder().encode(line).length;
  expect(lines.filter((line) => octets(line) > 75 || /[\r\n]/.test(line))).toEqual([]);
  // Half of a character would come out as another one.
  expect(lines.filter((line) => /[\ud800-\udfff\ufffd]/u.test(line))).toEqual([]);
}

describe("the feed", () => {
  it("has the reminders of an event, a series and an occurrence as alarms, and none of a cancelled one", async () => {
    const time = { start: "2050-02-10T09:00:00+01:00", timeZone: "Europe/Berlin" };
    const post = async (title: string, fields: object) =>
      (await api.post(EVENTS, { title, ...time, ...fields })).body.id;
    const reminders = [{ minutesBefore: 90 }, { minutesBefore: 0 }, { at: "2050-02-09T08:00:00Z" }];
    await post("Alarmed", { reminders });
    await post("Unalarmed", {});
    await post("Silent", { reminders: [] });
    await post("By email", { reminders: [{ minutesBefore: 5, channel: "email" }] });
    await post("Alarmed series", { rrule: "FREQ=DAILY;COUNT=3", reminders: [{ minutesBefore: 15 }] });
    const off = await post("Alarmed no more", { reminders });
    await api.patch(`${EVENTS}/${off}`, { status: "cancelled" });
    const { text } = await api.get(await newLink());
    expectLines(text);
    const alarmsOf = (title: string) =>
      eventsOf(text, title).flatMap((event) =>
        event.getAllSubcomponents("valarm").map((alarm) => {
          expect(alarm.getFirstPropertyValue("action")).toBe("DISPLAY");
          expect(alarm.getFirstPropertyValue("description")).toBe(title);
          return String(alarm.getFirstPropertyValue("trigger"));
        }),
      );
    expect(alarmsOf("Alarmed")).toEqual(["-PT90M", "PT0S", "2050-02-09T08:00:00Z"]);
    expect(alarmsOf("Alarmed series")).toEqual(["-PT15M"]);
    // Without reminders of its own, the defaults of whoever reads it apply there.
    expect(["Unalarmed", "Silent", "By email", "Alarmed no more"].flatMap(alarmsOf)).toEqual([]);
  });

  it("tells other calendars everything about an event", async () => {
    const title = "Planung; Räume, Größen \\ 🎉".repeat(3);
    const description = "First line\nsecond, with; signs \\n\n\n日本語の説明".repeat(4);
    const { body } = await api.post(EVENTS, {
      title,
      description,
      start: "2050-01-10T09:00:00+01:00",
      location: "Room 4, 2nd floor",
      meetingUrl: "https://meet.example.com/x?a=1,2",
      timeZone: "Europe/Berlin",
      status: "tentative",
      tags: ["client"],
      organizer: { name: 'Ada "A" Lovelace', email: "ada@example.com" },
      attendees: [
        { name: "Hopper, Grace: Admiral", email: "grace@example.com", response: "accepted" },
        { email: "bob@example.com", response: "declined" },
      ],
    });
    const answer = await api.get(await newLink());
    expect(answer.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expectLines(answer.text);
    const [event] = eventsOf(answer.text, title);
    const value = (name: string) => String(event?.getFirstPropertyValue(name));
    expect(value("uid")).toBe(body.icalUid);
    expect(value("description")).toBe(description);
    expect(value("dtstart")).toBe("2050-01-10T08:00:00Z");
    expect(value("dtend")).toBe("2050-01-10T08:30:00Z");
    expect(value("location")).toBe("Room 4, 2nd floor");
    expect(value("url")).toBe("https://meet.example.com/x?a=1,2");
    expect([value("status"), value("sequence"), value("transp")]).toEqual(["TENTATIVE", "0", "OPAQUE"]);
    expect(value("dtstamp")).toBe(`${body.updatedAt.slice(0, 19)}Z`);
    expect(value("last-modified")).toBe(`${body.updatedAt.slice(0, 19)}Z`);
    expect(event?.getFirstProperty("organizer")?.getParameter("cn")).toBe("Ada 'A' Lovelace");
    const attendees = event?.getAllProperties("attendee") ?? [];
    expect(attendees.map((one) => [one.getFirstValue(), one.getParameter("partstat"), one.getParameter("cn")])).toEqual(
      [
        ["mailto:grace@example.com", "ACCEPTED", "Hopper, Grace: Admiral"],
        ["mailto:bob@example.com", "DECLINED", undefined],
      ],
    );
  });

  it("shows what was cancelled as cancelled, and what was deleted not at all", async () => {
    const one = await api.post(EVENTS, { title: "feed-cancelled", start: "2050-02-01T09:00:00Z" });
    const two = await api.post(EVENTS, {
      title: "feed-deleted",
      start: "2050-02-01T09:00:00Z",
      bookingId: "feed-deleted",
    });
    await api.patch(`${EVENTS}/${one.body.id}`, { status: "cancelled" });
    await api.delete(`${EVENTS}/${two.body.id}`);
    const { text } = await api.get(await newLink());
    const [cancelled] = eventsOf(text, "feed-cancelled");
    expect(cancelled?.getFirstPropertyValue("status")).toBe("CANCELLED");
    expect(String(cancelled?.getFirstPropertyValue("sequence"))).toBe("1");
    expect(eventsOf(text, "feed-deleted")).toEqual([]);
  });

  it("gives an all-day event as dates", async () => {
    await api.post(EVENTS, {
      title: "feed-day",
      start: "2050-03-01",
      end: "2050-03-03",
      allDay: true,
      timeZone: "Pacific/Apia",
    });
    const { text } = await api.get(await newLink());
    const [event] = eventsOf(text, "feed-day");
    expect(event?.toString()).toContain("DTSTART;VALUE=DATE:20500301\r\nDTEND;VALUE=DATE:20500303");
  });

  it("gives a series that another calendar expands to the same moments, with its exceptions", async () => {
    const { body } = await api.post(EVENTS, {
      title: "feed-series",
      start: "2051-03-20T09:00:00",
      timeZone: "America/New_York",
      rrule: "FREQ=WEEKLY;COUNT=40",
      exdates: ["2051-03-27T09:00:00"],
    });
    await api.patch(`${EVENTS}/${body.id}?occurrence=2051-04-03T13:00:00Z`, {
      title: "feed-moved",
      start: "2051-04-04T15:00:00Z",
    });
    const { text } = await api.get(await newLink());
    const [master] = eventsOf(text, "feed-series");
    const [moved] = eventsOf(text, "feed-moved");
    if (!master || !moved) throw new Error("the feed lacks the series");
    const event = new ICAL.Event(master, { exceptions: [new ICAL.Event(moved)] });
    const iterator = event.iterator();
    const expanded: string[] = [];
    for (let next = iterator.next(); next; next = iterator.next()) {
      const { startDate } = event.getOccurrenceDetails(next);
      expanded.push(new Date(startDate.toUnixTime() * 1000).toISOString());
    }
    const list = await api.get(`${EVENTS}?start=2051-01-01T00:00:00Z&end=2052-01-01T00:00:00Z&limit=100`);
    const ours = list.body.data
      .filter(({ title }: { title: string }) => title.startsWith("feed-"))
      .map(({ start }: { start: string }) => start);
    expect(ours).toHaveLength(39);
    expect(expanded.sort()).toEqual(ours);
  });

  it("answers 304 until something changes", async () => {
    const link = await newLink();
    const first = await api.get(link);
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    const second = await api.get(link, { headers });
    expect([second.status, second.text]).toEqual([304, ""]);
    const { body } = await api.post(EVENTS, { title: "feed-new", start: "2050-04-01T09:00:00Z" });
    expect((await api.get(link, { headers })).status).toBe(200);
    const tagged = await api.get(link);
    await api.delete(`${EVENTS}/${body.id}`);
    expect((await api.get(link, { headers: { "if-none-match": tagged.headers.get("etag") ?? "" } })).status).toBe(200);
  });

  it("is behind one link, which ends with the next one and when it is revoked", async () => {
    const first = await newLink();
    const second = await newLink();
    expectProblem(await api.get(first), 404, "not_found");
    expect((await api.get(second)).status).toBe(200);
    expectProblem(await api.get(`${second}x`), 404, "not_found");
    expectProblem(await api.get("/api/calendar/feed.ics?token=guess"), 404, "not_found");
    expectProblem(await api.get("/api/calendar/feed.ics"), 422, "validation_failed");
    expect((await api.delete("/api/calendar/feed", { token: person.token })).status).toBe(204);
    expectProblem(await api.get(second), 404, "not_found");
  });

  it("shows its link once: a replay has none", async () => {
    const headers = { "idempotency-key": "feed-link" };
    const { token } = person;
    await api.call("POST", "/api/calendar/feed", { headers, token });
    const replay = await api.call("POST", "/api/calendar/feed", { headers, token });
    expect(replay.body.url).toBeNull();
  });

  it("is made by a session only: no API key and nobody without a credential makes or revokes it", async () => {
    const { key } = await createApiKey(await contextFor(person.token), {
      name: "feed",
      scopes: ["admin"],
      expiresAt: null,
    });
    for (const method of ["POST", "DELETE"]) {
      expectProblem(await api.call(method, "/api/calendar/feed", { token: key }), 403, "forbidden");
      expectProblem(await api.call(method, "/api/calendar/feed"), 401, "unauthenticated");
    }
  });

  it("is in the audit log and the security overview, and the person is told by email", async () => {
    const mail = fakeMail();
    const client = service({ EMAIL: mail.EMAIL, MAIL_FROM: "me@ours.example" });
    const { token, email } = await signedInPerson();
    const other = await signedInPerson();
    await client.post("/api/calendar/feed", undefined, { token: other.token });
    await client.post("/api/calendar/feed", undefined, { token });
    const told = mail.sent.map(({ to, subject }) => [to?.[0]?.email, subject]);
    expect(told).toContainEqual([email, expect.stringContaining("A calendar link was created")]);
    expect(told).toContainEqual([other.email, expect.stringContaining("Your calendar link was replaced")]);
    const { body: overview } = await client.get("/api/settings/security", { token });
    expect(overview.calendarLink).toEqual({ createdAt: expect.any(String), isYours: true });
    await client.delete("/api/calendar/feed", { token });
    const { body: log } = await client.get("/api/settings/security/audit-log", { token });
    const actions = log.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(["calendar_feed.created", "calendar_feed.revoked"]));
    expect((await client.get("/api/settings/security", { token })).body.calendarLink).toBeNull();
  });

  it("ends with the account that made it", async () => {
    const maker = await signedInPerson();
    const link = await newLink(maker);
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(maker.id).run();
    expectProblem(await api.get(link), 404, "not_found");
  });

  it("ends at a password change that ends the other sessions, and stays at one that does not", async () => {
    const maker = await signedInPerson();
    const link = await newLink(maker);
    const change = (currentPassword: string, newPassword: string, revokeOthers: boolean) =>
      api.post(
        "/api/settings/security/password",
        { currentPassword, newPassword, revokeOthers },
        { token: maker.token },
      );
    expect((await change(PASSWORD, "purple wombat orchard 41", false)).status).toBe(200);
    expect((await api.get(link)).status).toBe(200);
    expect((await change("purple wombat orchard 41", "yellow cactus harbour 52", true)).status).toBe(200);
    expectProblem(await api.get(link), 404, "not_found");
  });

  it("ends at a password reset, and not at a sign-out", async () => {
    const maker = await signedInPerson();
    const link = await newLink(maker);
    const mail = fakeMail();
    const client = service({ EMAIL: mail.EMAIL, MAIL_FROM: "me@ours.example" });
    await client.post("/api/auth/logout", undefined, { token: maker.token });
    expect((await api.get(link)).status).toBe(200);
    await client.post("/api/auth/password/forgot", { email: maker.email });
    const token = /#token=(\S+)/.exec(mail.sent.map(({ text }) => text).join("\n"))?.[1];
    const reset = await client.post("/api/auth/password/reset", { token, password: "green walrus meadow 63" });
    expect([reset.status, reset.text]).toEqual([204, ""]);
    expectProblem(await api.get(link), 404, "not_found");
  });

  rarely("of 5,000 events streams and parses", async () => {
    const rows = Array.from({ length: 5000 }, (_, index) => ({
      uid: `many-${index}`,
      start: Date.UTC(2055, 0, 1) + index * 3_600_000,
    }));
    await env.DB.prepare(
      `INSERT INTO events (title, start_at, end_at, time_zone, span, status, source, ical_uid, created_at, updated_at)
       SELECT 'Many', json_extract(value, '$.start'), json_extract(value, '$.start') + 1800000, 'UTC', 0, 'confirmed', 'manual',
         json_extract(value, '$.uid'), 0, 0 FROM json_each(?)`,
    )
      .bind(JSON.stringify(rows))
      .run();
    const { text } = await api.get(await newLink());
    expect(eventsOf(text, "Many")).toHaveLength(5000);
  });
});

describe("iCalendar text", () => {
  const base: IcsEvent = {
    uid: "u",
    sequence: 0,
    stamp: 0,
    created: 0,
    modified: 0,
    start: 0,
    end: 1,
    allDay: false,
    zone: null,
    dateZone: "UTC",
    title: "t",
    description: null,
    location: null,
    url: null,
    status: "confirmed",
    busy: true,
    categories: [],
    organizer: null,
    attendees: [],
    rrule: null,
    exdates: [],
    recurrence: null,
  };

  it("brings back any text another library reads, in lines of at most 75 octets", () => {
    // Without the sign that a broken character comes out as.
    const anyText = fc
      .string({ unit: "grapheme", maxLength: 300 })
      .map((text) => text.replaceAll(/[\p{Cc}\ufffd]/gu, (sign) => (sign === "\n" ? sign : "")));
    fc.assert(
      fc.property(anyText, anyText, (title, name) => {
        const text = eventComponent({
          ...base,
          title: `x${title}`,
          organizer: { name: `x${name}`, email: "a@example.com" },
        });
        expectLines(text);
        const event = new ICAL.Component(ICAL.parse(text));
        expect(event.getFirstPropertyValue("summary")).toBe(`x${title}`);
        expect(event.getFirstPropertyValue("organizer")).toBe("mailto:a@example.com");
      }),
      { numRuns: times(200) },
    );
  });

  it.each([
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Pacific/Apia",
    "Africa/Casablanca",
    "Australia/Lord_Howe",
  ])("describes the clocks of %s as they are", (name) => {
    const since = Date.UTC(2005, 5, 1, 12);
    const text = timeZoneComponent(name, since, Date.UTC(2026, 10, 15));
    const zone = new ICAL.Timezone({ component: new ICAL.Component(ICAL.parse(text)), tzid: name });
    for (let wall = since; wall < Date.UTC(2031, 11, 1); wall += 5 * 86_400_000) {
      const at = new Date(wall);
      const time = ICAL.Time.fromData(
        {
          year: at.getUTCFullYear(),
          month: at.getUTCMonth() + 1,
          day: at.getUTCDate(),
          hour: at.getUTCHours(),
          minute: 0,
          second: 0,
        },
        zone,
      );
      expect(`${at.toISOString()} ${time.toUnixTime() * 1000}`).toBe(`${at.toISOString()} ${toInstant(name, wall)}`);
    }
  });
});
