import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findDates } from "../../src/engine/dates/find-dates.ts";
import { detectIn, tasksIn, understandEmail } from "../../src/engine/email/intelligence.ts";
import { kindOf } from "../../src/engine/email/kind.ts";
import { eventSlots, taskSlots } from "../../src/engine/notes/slots.ts";
import { type Act, readMessage } from "../../src/features/chat/reader/read.ts";
import { fixSpelling } from "../../src/features/chat/request/spelling.ts";
import type { SenderProof } from "../../src/lib/authentication-results.ts";
import { parseAddress } from "../../src/lib/parse-address.ts";
import { accuracy, FOLDER, instantOf, localTime, type Measure, readSet } from "./case-set.ts";
import { matchesDate } from "./date-labels.ts";
import { eventNameMeasures } from "./event-names.ts";
import { messageMeasures } from "./messages.ts";

export type { Measure } from "./case-set.ts";

/** Scores the engine on the evaluation set in `test/data`, whose README explains the labels. */

/** What is due on a day is due when the day ends. */
const dueTime = (date: Date | null, zone: string) => localTime(date, zone).replace(/ 23:59$/, "");

interface Decision {
  text: string;
  expected: boolean;
  found: boolean;
}

function f1(name: string, label: string, decisions: readonly Decision[]): Measure {
  const hits = decisions.filter(({ expected, found }) => expected && found).length;
  const wrong = decisions.filter(({ expected, found }) => !expected && found);
  const missed = decisions.filter(({ expected, found }) => expected && !found);
  return {
    name,
    label,
    cases: decisions.length,
    score: (2 * hits) / (2 * hits + wrong.length + missed.length),
    precision: hits / (hits + wrong.length),
    recall: hits / (hits + missed.length),
    misses: [...wrong.map(({ text }) => `found by mistake: ${text}`), ...missed.map(({ text }) => `missed: ${text}`)],
  };
}

interface DateCase {
  kind: "point" | "range" | "duration" | "recurring" | "none";
  text: string;
  expect: string[];
  at?: string;
  zone?: string;
}

const DATE_KINDS = {
  point: "Dates and times",
  range: "Ranges of dates and times",
  duration: "Durations",
  recurring: "Recurring dates",
  none: "Sentences without a date",
} as const;

function dateMeasures(): Measure[] {
  const set = readSet<DateCase>("dates");
  const kinds = Object.entries(DATE_KINDS).map(([kind, label]) => ({ kind, label }));
  return kinds.map(({ kind, label }) =>
    accuracy(
      `dates.${kind}`,
      label,
      set.cases.filter((item) => item.kind === kind),
      ({ text, expect, at = set.at, zone = set.zone }) => {
        const { dates } = findDates(text, { reference: instantOf(at, zone), timeZone: zone });
        const isRight =
          dates.length === expect.length && expect.every((label, n) => matchesDate(dates[n], label, zone));
        if (isRight) return null;
        const found = dates.map((date) => `${date.type} ${localTime(date.from, zone)}..${localTime(date.to, zone)}`);
        return `${text} expected ${expect.join("; ") || "nothing"}, found ${found.join("; ") || "nothing"}`;
      },
    ),
  );
}

/** The sentences of the set in which no date may be found. */
export function sentencesWithoutDate(): string[] {
  return readSet<DateCase>("dates").cases.flatMap(({ kind, text }) => (kind === "none" ? [text] : []));
}

interface MeetingCase {
  text: string;
  meeting: boolean;
  start?: string;
}

function meetingMeasures(): Measure[] {
  const { at, zone, cases } = readSet<MeetingCase>("meetings");
  const detect = (content: string) => detectIn({ content, reference: instantOf(at, zone), timeZone: zone });
  const decisions = cases.map(({ text, meeting }) => ({ text, expected: meeting, found: detect(text).detected }));
  const timed = cases.filter(({ start }) => start !== undefined);
  const starts = accuracy("meetings.start", "Start time of those meetings", timed, ({ text, start }) => {
    const found = detect(text).meetings.map((meeting) => localTime(meeting.start, zone));
    return found.length === 1 && found[0] === start ? null : `${text} expected ${start}, found ${found.join("; ")}`;
  });
  return [f1("meetings.detected", "Meetings in a text (F1)", decisions), starts];
}

interface SentenceCase {
  text: string;
  action: boolean;
  /** One or more accepted due dates. */
  due?: string[];
}

function actionSentenceMeasures(): Measure[] {
  const { at, zone, cases } = readSet<SentenceCase>("action-sentences");
  const itemsIn = (content: string) =>
    understandEmail({ content, reference: instantOf(at, zone), timeZone: zone }).actionItems;
  const decisions = cases.map(({ text, action }) => ({ text, expected: action, found: itemsIn(text).length > 0 }));
  const dated = cases.filter(({ due }) => due !== undefined);
  return [
    f1("actions.sentences", "Requests and promises, sentence by sentence (F1)", decisions),
    accuracy("actions.due", "When they are due", dated, ({ text, due = [] }) => {
      const found = dueTime(itemsIn(text)[0]?.dueAt ?? null, zone);
      return due.includes(found) ? null : `${text} expected ${due.join(" or ")}, found ${found}`;
    }),
  ];
}

interface TitleCase {
  text: string;
  /** Null if it becomes no task. */
  title: string | null;
}

/** The sentences come from Carl. */
function titleMeasures(): Measure[] {
  const { at, zone, cases } = readSet<TitleCase>("titles");
  const from = { name: "Carl Boss", email: "carl@example.org" };
  return [
    accuracy("actions.titles", "Titles of the tasks in a text, or that it has none", cases, ({ text, title }) => {
      const found = tasksIn({ content: text, from, reference: instantOf(at, zone), timeZone: zone });
      const titles = found.map((task) => task.text).join("; ");
      return titles === (title ?? "") ? null : `${text} expected ${title ?? "none"}, found ${titles || "none"}`;
    }),
  ];
}

interface EmailCase {
  from: { name: string; email: string };
  subject: string;
  content: string;
  category: string;
  /** One or more accepted levels. */
  urgency: string[];
  replyNeeded: boolean;
  /** The sentences, or parts of sentences, that ask the reader or promise something. */
  actions: string[];
}

function emailMeasures(): Measure[] {
  const { at, zone, cases } = readSet<EmailCase>("emails");
  const read = cases.map((item) => ({
    ...item,
    found: understandEmail({ ...item, reference: instantOf(at, zone), timeZone: zone }),
  }));
  const items = read.flatMap(({ actions, found }): Decision[] => {
    const quotes = found.actionItems.map(({ quote }) => quote.text);
    const isAction = (quote: string) => actions.some((action) => quote.includes(action) || action.includes(quote));
    const expected = actions.map((text) => ({
      text,
      expected: true,
      found: quotes.some((quote) => quote.includes(text)),
    }));
    const wrong = quotes.filter((quote) => !isAction(quote));
    return [...expected, ...wrong.map((text) => ({ text, expected: false, found: true }))];
  });
  const check = (expected: string, found: string, isRight: boolean, subject: string) =>
    isRight ? null : `“${subject}” expected ${expected}, found ${found}`;
  return [
    f1("actions.emails", "Action items of an email (F1)", items),
    accuracy("email.category", "Category of an email", read, ({ subject, category, found }) =>
      check(category, found.category, found.category === category, subject),
    ),
    accuracy(
      "email.urgency",
      "Urgency of an email",
      read,
      ({
        subject,
        urgency,
        found: {
          urgency: { level },
        },
      }) => check(urgency.join(" or "), level, urgency.includes(level), subject),
    ),
    accuracy("email.reply", "Whether an email needs a reply", read, ({ subject, replyNeeded, found }) =>
      check(`${replyNeeded}`, `${found.replyNeeded}`, found.replyNeeded === replyNeeded, subject),
    ),
  ];
}

interface KindCase {
  kind: string;
  /** As in the header: `Ann Lee <ann@example.com>`. */
  from: string;
  /** The envelope's sender; default: that of the header. */
  envelope?: string;
  subject: string;
  headers?: Record<string, string>;
  /** The method of its calendar part. */
  calendar?: string;
  proof?: SenderProof;
  body: string;
}

function kindMeasures(): Measure[] {
  const sets: Record<string, KindCase[]> = JSON.parse(readFileSync(join(FOLDER, "kinds.json"), "utf8"));
  const check = ({ kind, calendar, headers = {}, proof = "verified", ...item }: KindCase) => {
    const from = parseAddress(item.from) ?? { name: "", email: item.from };
    const found = kindOf({
      headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
      proof,
      envelopeFrom: item.envelope ?? from.email,
      from: from.email,
      fromName: from.name,
      replyTo: headers["reply-to"] ?? null,
      deliveredTo: "ada@lovelace.example",
      subject: item.subject,
      body: item.body,
      calendarParts: calendar ? [`BEGIN:VCALENDAR\r\nMETHOD:${calendar}\r\nEND:VCALENDAR`] : [],
    });
    return found === kind ? null : `“${item.subject}” from ${item.from} expected ${kind}, found ${found}`;
  };
  return [
    accuracy("kind.tuned", "Kind of an email, on the cases the rules were tuned on", sets.tuned ?? [], check),
    accuracy("kind.heldOut", "Kind of an email, on the cases that were held out", sets.heldOut ?? [], check),
  ];
}

interface MessageCase {
  text: string;
  /** One or more accepted acts. */
  acts: Act[];
  slots?: Record<string, string[]>;
}

function assistantMeasures(): Measure[] {
  const { at, zone, cases } = readSet<MessageCase>("assistant");
  const clock = { reference: instantOf(at, zone), timeZone: zone };
  const slotCases = cases.flatMap(({ text, acts, slots = {} }) =>
    Object.entries(slots).map(([slot, accepted]) => ({ text: fixSpelling(text), act: acts[0], slot, accepted })),
  );
  return [
    accuracy("assistant.routing", "What a message asks for", cases, ({ text, acts }) => {
      const found = readMessage(fixSpelling(text), "", clock).map(({ act }) => act);
      const isRight = found.length === 1 && acts.some((act) => act === found[0]);
      return isRight ? null : `${text} expected ${acts.join(" or ")}, found ${found.join(", ")}`;
    }),
    accuracy("assistant.slots", "Title, time and other details in it", slotCases, ({ text, act, slot, accepted }) => {
      const found = slotOf(act, text, slot, clock);
      const isRight = accepted.some((value) => value.toLowerCase() === found.toLowerCase());
      return isRight ? null : `${text} expected ${slot} ${accepted.join(" or ")}, found ${found || "nothing"}`;
    }),
  ];
}

/** The engine's value of one slot, written as the labels write it. */
function slotOf(act: Act | undefined, text: string, slot: string, clock: { reference: Date; timeZone: string }) {
  const at = (date: Date | null) => (date ? localTime(date, clock.timeZone) : "");
  if (act === "add_task") {
    const task = taskSlots(text, clock);
    return { title: task.title, due: dueTime(task.due, clock.timeZone), priority: task.priority ?? "" }[slot] ?? "";
  }
  const event = eventSlots(text, clock);
  const values: Record<string, string> = {
    title: event.title,
    start: at(event.start),
    end: at(event.end),
    minutes: `${event.durationMinutes ?? ""}`,
    rrule: event.rrule ?? "",
    attendees: event.attendees.join(","),
  };
  return values[slot] ?? "";
}

export function scoreOwnSet(): Measure[] {
  return [
    ...dateMeasures(),
    ...meetingMeasures(),
    ...eventNameMeasures(),
    ...actionSentenceMeasures(),
    ...titleMeasures(),
    ...emailMeasures(),
    ...kindMeasures(),
    ...assistantMeasures(),
    ...messageMeasures(),
  ];
}
