import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { beginClean } from "../clean-slate.ts";
import { expectProblem, service } from "../harness.ts";
import { deliverBatch, deliverQueue, takeQueued } from "../queued.ts";
import { rarely } from "../sampled.ts";

beforeEach(beginClean);

const client = service();
const PATH = "/api/calendar/import";
const headers = { "content-type": "text/calendar" };

const calendar = (...lines: string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", "METHOD:PUBLISH", ...lines, "END:VCALENDAR"].join("\r\n");
const event = (uid: string, ...lines: string[]) => ["BEGIN:VEVENT", `UID:${uid}`, ...lines, "END:VEVENT"];
const AT = ["DTSTART:20310106T090000Z", "DTEND:20310106T100000Z"];

const start = (raw: string) => client.post(PATH, undefined, { raw, headers });

async function load(raw: string) {
  const { body, status } = await start(raw);
  expect(status).toBe(202);
  await deliverQueue();
  return (await client.get(`${PATH}/${body.id}`)).body;
}

const all = async () =>
  (await client.get("/api/calendar/events?start=2031-01-01T00:00:00Z&end=2031-02-01T00:00:00Z&limit=100")).body.data;

const ZONE = [
  "BEGIN:VTIMEZONE",
  "TZID:Our Own Zone",
  "BEGIN:STANDARD",
  "DTSTART:19701025T030000",
  "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "END:STANDARD",
  "BEGIN:DAYLIGHT",
  "DTSTART:19700329T020000",
  "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "END:DAYLIGHT",
  "END:VTIMEZONE",
];

const SERIES = calendar(
  ...ZONE,
  ...event(
    "series@x",
    "SUMMARY:Stand-up",
    "DTSTART;TZID=Our Own Zone:20310106T090000",
    "DTEND;TZID=Our Own Zone:20310106T091500",
    "RRULE:FREQ=DAILY;COUNT=5",
    "EXDATE;TZID=Our Own Zone:20310107T090000",
  ),
  ...event(
    "series@x",
    "SUMMARY:Stand-up (late)",
    "RECURRENCE-ID;TZID=Our Own Zone:20310108T090000",
    "DTSTART;TZID=Our Own Zone:20310108T110000",
    "DTEND;TZID=Our Own Zone:20310108T111500",
  ),
);

describe("the import of a calendar file", () => {
  it("takes single events, whole days and series with exceptions and edited occurrences, in any zone", async () => {
    const allDay = event("day@x", "SUMMARY:Holiday", "DTSTART;VALUE=DATE:20310110", "DTEND;VALUE=DATE:20310111");
    const job = await load(`\ufeff${SERIES}\n${calendar(...event("one@x", "SUMMARY:One", ...AT), ...allDay)}`);
    expect(job).toMatchObject({
      state: "succeeded",
      progress: { done: 3, total: 3 },
      result: { created: 3, updated: 0, unchanged: 0, skipped: 0, problems: [] },
    });
    const found = (await all()).map(({ title, start: at }: { title: string; start: string }) => `${title} ${at}`);
    expect(found).toEqual([
      "Stand-up 2031-01-06T08:00:00.000Z",
      "One 2031-01-06T09:00:00.000Z",
      "Stand-up (late) 2031-01-08T10:00:00.000Z",
      "Stand-up 2031-01-09T08:00:00.000Z",
      expect.stringContaining("Holiday"),
      "Stand-up 2031-01-10T08:00:00.000Z",
    ]);
  });

  it("changes nothing the second time, updates what has changed, and ignores what is older", async () => {
    await load(SERIES);
    const before = await all();
    expect((await load(SERIES)).result).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect(await all()).toEqual(before);
    const changed = SERIES.replace("SUMMARY:Stand-up\r\n", "SUMMARY:Daily\r\nSEQUENCE:3\r\n");
    expect((await load(changed)).result).toMatchObject({ created: 0, updated: 1, unchanged: 0 });
    expect((await all())[0]).toMatchObject({ title: "Daily", version: 2 });
    const recount = await env.DB.prepare("SELECT count(*) AS n FROM events").first();
    expect(recount).toEqual({ n: 2 });
  });

  it("skips what cannot be read, says why, and takes the rest", async () => {
    const job = await load(
      calendar(
        ...event("good@x", "SUMMARY:Good", ...AT),
        ...event("bad@x", "SUMMARY:No start"),
        ...event("zone@x", "DTSTART;TZID=Mars/Olympus:20310106T090000"),
        ...event("never@x", ...AT, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231T000000Z"),
        "BEGIN:VTODO",
        "UID:todo@x",
        "END:VTODO",
      ),
    );
    expect(job).toMatchObject({ state: "succeeded", result: { created: 1, skipped: 4 } });
    expect(job.result.problems).toEqual([
      { uid: "", reason: "1 × VTODO: only events (VEVENT) are imported." },
      { uid: "bad@x", reason: expect.stringContaining("no DTSTART") },
      { uid: "zone@x", reason: expect.stringContaining("Mars/Olympus") },
      { uid: "never@x", reason: expect.stringContaining("must match again") },
    ]);
  });

  rarely("of many events takes several slices, survives duplicates of messages, and raises no events", async () => {
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (user_id, url, event_types, secret, enabled, version, created_at, updated_at)
       SELECT id, 'https://x.example', '[]', 'x', 1, 1, 0, 0 FROM users LIMIT 1`,
    ).run();
    const many = Array.from({ length: 1200 }, (_, n) => event(`many-${n}@x`, `SUMMARY:Event ${n}`, ...AT)).flat();
    const { body: job } = await start(calendar(...many));
    const [first] = takeQueued();
    await deliverBatch("jobs", [first?.body, first?.body, first?.body]);
    await deliverQueue();
    const done = (await client.get(`${PATH}/${job.id}`)).body;
    expect(done).toMatchObject({ state: "succeeded", result: { created: 1200, skipped: 0 } });
    const counts = await env.DB.prepare(
      "SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM outbox) AS outbox",
    ).first();
    expect(counts).toEqual({ events: 1200, outbox: 0 });
  });

  it("refuses what is no calendar, JSON, and too much of it", async () => {
    expect(await load("hello")).toMatchObject({ state: "failed", error: expect.stringContaining("no event") });
    expectProblem(await client.post(PATH, { a: 1 }), 422, "validation_failed");
    const image = { raw: "x", headers: { "content-type": "image/png" } };
    expectProblem(await client.post(PATH, undefined, image), 415, "unsupported_media_type");
    expectProblem(await start("x".repeat(10 * 1024 * 1024 + 1)), 413, "body_too_large");
    const closed = service({ ACCESS_MODE: "private" });
    expectProblem(await closed.post(PATH, undefined, { raw: SERIES, headers }), 401, "unauthenticated");
  });

  it("can be listed and deleted; the events stay", async () => {
    const { id } = await load(SERIES);
    expect((await client.get(PATH)).body.data).toMatchObject([{ id }]);
    expect((await client.delete(`${PATH}/${id}`)).status).toBe(204);
    expect((await client.get(PATH)).body.data).toEqual([]);
    expect((await all()).length).toBeGreaterThan(0);
  });

  it("says which dates of an event it could not import", async () => {
    const further = "RDATE;VALUE=DATE-TIME:20310120T090000Z,20310121T090000Z";
    const { result } = await load(calendar(...event("r1", ...AT, "RRULE:FREQ=WEEKLY;COUNT=2", further)));
    expect(result).toMatchObject({ created: 1, skipped: 2 });
    expect(result.problems).toEqual([{ uid: "r1", reason: expect.stringContaining("2 further dates (RDATE)") }]);
  });
});
