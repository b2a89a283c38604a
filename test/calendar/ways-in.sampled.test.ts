import { beforeAll, describe, expect, it } from "vitest";
import { WINDOWS_ZONES } from "../../src/lib/ics/windows-zones.ts";
import { deliver } from "../emails/deliver.ts";
import { deliverQueue } from "../queued.ts";
import { sampled } from "../sampled.ts";
import { api, EVENTS, writeTo } from "./inviting.ts";

/* One reader for calendars: whichever way one comes in and however it names its zone, its events are at the same times. */

beforeAll(() => writeTo("grace@example.com"));

interface Place {
  zone: string;
  windows: string;
  shown: string;
  /** Winter and summer, each with its offset, the time of the change and the rule of its day. */
  winter: readonly [offset: string, time: string, rule: string];
  summer: readonly [offset: string, time: string, rule: string];
  /** The first of three days in a row, and when the events are. On the second day the clocks change. */
  start: string;
  times: readonly string[];
  /** The fourth day, on which the event does not take place. */
  left: string;
}

const PLACES: readonly Place[] = [
  {
    zone: "Europe/Berlin",
    windows: "W. Europe Standard Time",
    shown: "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna",
    winter: ["+0100", "030000", "BYDAY=-1SU;BYMONTH=10"],
    summer: ["+0200", "020000", "BYDAY=-1SU;BYMONTH=3"],
    // A time that is skipped.
    start: "20310329T023000",
    left: "20310401T023000",
    times: ["2031-03-29T01:30", "2031-03-30T01:30", "2031-03-31T00:30"],
  },
  {
    zone: "America/New_York",
    windows: "Eastern Standard Time",
    shown: "(GMT-05:00) Eastern Time (US & Canada)",
    winter: ["-0500", "020000", "BYDAY=1SU;BYMONTH=11"],
    summer: ["-0400", "020000", "BYDAY=2SU;BYMONTH=3"],
    start: "20310308T180000",
    left: "20310311T180000",
    times: ["2031-03-08T23:00", "2031-03-09T22:00", "2031-03-10T22:00"],
  },
  {
    // In summer as in winter like Athens, but two days earlier.
    zone: "Asia/Jerusalem",
    windows: "Israel Standard Time",
    shown: "(UTC+02:00) Jerusalem",
    winter: ["+0200", "020000", "BYDAY=-1SU;BYMONTH=10"],
    summer: ["+0300", "020000", "BYDAY=FR;BYMONTHDAY=23,24,25,26,27,28,29;BYMONTH=3"],
    start: "20310327T090000",
    left: "20310330T090000",
    times: ["2031-03-27T07:00", "2031-03-28T06:00", "2031-03-29T06:00"],
  },
  {
    // By half an hour, and a time that comes twice.
    zone: "Australia/Lord_Howe",
    windows: "Lord Howe Standard Time",
    shown: "(UTC+10:30) Lord Howe Island",
    winter: ["+1030", "020000", "BYDAY=1SU;BYMONTH=4"],
    summer: ["+1100", "020000", "BYDAY=1SU;BYMONTH=10"],
    start: "20310405T014500",
    left: "20310408T014500",
    times: ["2031-04-04T14:45", "2031-04-05T14:45", "2031-04-06T15:15"],
  },
];

/** As Outlook writes it. */
function definition(id: string, { winter, summer }: Place): string[] {
  const half = (name: string, [to, time, rule]: Place["winter"], [from]: Place["winter"]) => [
    `BEGIN:${name}`,
    `DTSTART:16010101T${time}`,
    `TZOFFSETFROM:${from}`,
    `TZOFFSETTO:${to}`,
    `RRULE:FREQ=YEARLY;INTERVAL=1;${rule}`,
    `END:${name}`,
  ];
  const halves = [...half("STANDARD", winter, summer), ...half("DAYLIGHT", summer, winter)];
  return ["BEGIN:VTIMEZONE", `TZID:${id}`, ...halves, "END:VTIMEZONE"];
}

/** How a file says in which zone its times are: lines before its events, and what follows the name of a property. */
const FORMS: readonly [form: string, of: (place: Place) => { head: string[]; zone: string }][] = [
  ["the name of the IANA database", ({ zone }) => ({ head: [], zone: `;TZID=${zone}` })],
  ["the name of Windows", ({ windows }) => ({ head: [], zone: `;TZID=${windows}` })],
  ["the words that Windows shows", ({ shown }) => ({ head: [], zone: `;TZID="${shown}"` })],
  [
    "a definition with the name of Windows",
    (place) => ({ head: definition(place.windows, place), zone: `;TZID=${place.windows}` }),
  ],
  [
    "a definition with a name of its own",
    (place) => ({ head: definition("Customized Time Zone 1", place), zone: ";TZID=Customized Time Zone 1" }),
  ],
  [
    "a definition for the whole file",
    (place) => ({ head: ["X-WR-TIMEZONE:Ours", ...definition("Ours", place)], zone: "" }),
  ],
];

function calendar({ head, zone }: { head: string[]; zone: string }, start: string, lines: string[]): string {
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Test//EN",
    "METHOD:REQUEST",
    ...head,
    "BEGIN:VEVENT",
    `UID:${crypto.randomUUID()}`,
    "DTSTAMP:20300101T000000Z",
    `DTSTART${zone}:${start}`,
    "DURATION:PT45M",
    "ORGANIZER:mailto:grace@example.com",
    "ATTENDEE:mailto:hello@example.com",
    ...lines,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");
}

type WayIn = (text: string) => Promise<unknown>;

const asEmail: WayIn = (text) =>
  deliver(
    `From: grace@example.com\nTo: hello@example.com\nSubject: Invitation\nMessage-ID: <${crypto.randomUUID()}@x>\nMIME-Version: 1.0\nContent-Type: text/calendar; method=REQUEST\n\n${text}`,
    { from: "grace@example.com" },
  );

const asFile: WayIn = async (raw) => {
  await api.post("/api/calendar/import", undefined, { raw, headers: { "content-type": "text/calendar" } });
  await deliverQueue();
};

const asText: WayIn = (text) =>
  api.post(`${EVENTS}/from-email`, { content: `See below.\n\n${text}\nBest,\nGrace`, timeZone: "Asia/Tokyo" });

const WAYS: readonly [way: string, bring: WayIn][] = [
  ["an email", asEmail],
  ["a file", asFile],
  ["a text", asText],
];

interface Shown {
  title: string;
  start: string;
  timeZone: string;
}

/** The events of these days. */
async function eventsBetween(start: string, end: string): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const from = cursor ? `&cursor=${cursor}` : "";
    const { body } = await api.get(`${EVENTS}?start=${start}&end=${end}&limit=100${from}`);
    shown.push(...body.data);
    cursor = body.nextCursor;
  }
  return shown;
}

const cases = sampled(PLACES).flatMap((place) =>
  FORMS.map(([form, of]) => [place.zone, form, place, of(place)] as const),
);

describe.each(WAYS)("a calendar that comes as %s", (way, bring) => {
  it.each(cases)("has its events at the times of %s by %s", async (_, form, place, how) => {
    const title = `${place.zone} by ${form} as ${way}`;
    const series = ["RRULE:FREQ=DAILY;COUNT=4", `EXDATE${how.zone}:${place.left}`];
    await bring(calendar(how, place.start, [`SUMMARY:${title}`, ...series]));
    const events = (await eventsBetween("2031-03-01", "2031-04-30")).filter((event) => event.title === title);
    expect(events.map(({ start, timeZone }) => [start, timeZone])).toEqual(
      place.times.map((start) => [`${start}:00.000Z`, place.zone]),
    );
  });
});

describe("a calendar in a text", () => {
  const detect = async (text: string) =>
    (await api.post("/api/calendar/detect", { text, timeZone: "Asia/Tokyo" })).body;

  it.each(cases)("is detected at the time of %s by %s", async (_, __, { start, times, zone }, how) => {
    const text = calendar(how, start, ["SUMMARY:Review"]);
    const { meetings } = await detect(text);
    expect(meetings).toMatchObject([{ start: `${times[0]}:00.000Z`, timeZone: zone, title: "Review" }]);
    const { quote } = meetings[0];
    expect(text.slice(quote.start, quote.end)).toBe(`DTSTART${how.zone}:${start}`);
  });

  it.each([
    ["that nobody knows", { head: [], zone: ";TZID=Nowhere Standard Time" }],
    [
      "with clocks that nobody has",
      {
        head: definition("Ours", { ...PLACES[0], winter: ["+0107", "030000", "BYDAY=-1SU;BYMONTH=10"] } as Place),
        zone: ";TZID=Ours",
      },
    ],
  ])("is none in a zone %s: no event is better than one at a wrong time", async (_, how) => {
    expect(await detect(calendar(how, "20310329T023000", ["SUMMARY:Review"]))).toMatchObject({ meetings: [] });
  });
});

describe("a zone that no place has exactly", () => {
  const [berlin, , jerusalem] = PLACES;
  const startOf = async (id: string, place: Place | undefined, summer: string, start: string) => {
    if (!place) throw new Error("There is no such place.");
    const head = definition(id, { ...place, summer: [place.summer[0], place.summer[1], summer] });
    const text = calendar({ head, zone: `;TZID=${id}` }, start, ["SUMMARY:Review"]);
    const { body } = await api.post("/api/calendar/detect", { text, timeZone: "Asia/Tokyo" });
    return body.meetings[0]?.start;
  };

  it("is used at the times at which its clocks are those of a place, and at no others", async () => {
    const early = "BYDAY=2SU;BYMONTH=3";
    expect(await startOf("Ours", berlin, early, "20310220T090000")).toBe("2031-02-20T08:00:00.000Z");
    expect(await startOf("Ours", berlin, early, "20310320T090000")).toBeUndefined();
    expect(await startOf("Ours", berlin, early, "20310620T090000")).toBe("2031-06-20T07:00:00.000Z");
  });

  it("is that of its name in Windows, although its rule is a week off", async () => {
    // Clocks change on 29 March; Outlook's rule says the 22nd.
    const rule = "BYDAY=4FR;BYMONTH=3";
    expect(await startOf("Israel Standard Time", jerusalem, rule, "20300325T090000")).toBe("2030-03-25T07:00:00.000Z");
  });
});

describe("a zone of Windows", () => {
  it("is known by its name and by what Windows shows for it, each of them", async () => {
    expect(WINDOWS_ZONES.length).toBe(139);
    const ids = WINDOWS_ZONES.flatMap(([name, shown, zone]) => [name, `(UTC+00:00) ${shown}`, zone]);
    await asFile(
      ids
        .map((id) => calendar({ head: [], zone: `;TZID="${id}"` }, "20310703T120000", [`SUMMARY:${id}`]))
        .join("")
        .replaceAll(/SUMMARY:.*/g, (line) => line.replaceAll(",", "\\,")),
    );
    const events = await eventsBetween("2031-07-02", "2031-07-05");
    const found = (id: string) => {
      const event = events.find(({ title }) => title === id);
      return [id, event?.start, event?.timeZone];
    };
    for (const [name, shown, zone] of WINDOWS_ZONES) {
      const [, start] = found(zone);
      expect(start).toBeDefined();
      // "UTC" is a name of both.
      expect(found(name)).toEqual([name, start, name === "UTC" ? name : zone]);
      expect(found(`(UTC+00:00) ${shown}`)).toEqual([`(UTC+00:00) ${shown}`, start, zone]);
    }
  });
});
