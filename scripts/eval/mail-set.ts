import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, type Language } from "../../src/lib/languages.ts";
import { FOLDER } from "./case-set.ts";

/** Reads the labelled emails in `test/data/mail`, whose README explains the format and the labels. */

export const HALVES = ["visible", "aside"] as const;
export type Half = (typeof HALVES)[number];

/** What a label accepts: `urgent` is high or critical, `calm` is low or normal. */
export const LEVELS = {
  urgent: ["high", "critical"],
  normal: ["normal"],
  low: ["low"],
  calm: ["low", "normal"],
} as const;
type LevelWord = keyof typeof LEVELS;

/** A day, or a day and a time: `2026-11-20` or `2026-11-20 17:00`. */
export type Moment = string;

export interface TodoLabel {
  titles: string[];
  /** Null if the reader has to do it. */
  owner: string | null;
  /** The accepted due dates; `none` for no date. */
  due: (Moment | "none")[];
  isOptional: boolean;
}

export interface MeetingLabel {
  titles: string[];
  starts: Moment[];
  /** Null if the email does not say it. */
  end: Moment | null;
  minutes: number | null;
  places: string[];
  isOptional: boolean;
}

export interface CodeLabel {
  /** The code, or the address of the sign-in link. */
  value: string;
  isLink: boolean;
  minutes: number | null;
}

export interface LabelledEmail {
  id: string;
  topic: string;
  language: Language;
  /** The header fields as they were written, with those that only this set has: `known`, `proof`, `calendar`. */
  headers: Map<string, string>;
  receivedAt: Moment;
  body: string;
  kinds: string[];
  /** The accepted levels from each day on; the first is the day of arrival. */
  urgency: { from: Moment; levels: string[] }[];
  todos: TodoLabel[];
  meetings: MeetingLabel[];
  codes: CodeLabel[];
}

export function readHalf(half: Half): LabelledEmail[] {
  const folder = join(FOLDER, "mail", half);
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return files.sort().flatMap((file) => {
    const [topic = "", code = ""] = file.split(".");
    const language = LANGUAGES.find((each) => each === code);
    if (!language) throw new Error(`${file}: the name must be <topic>.<language>.txt.`);
    const text = readFileSync(join(folder, file), "utf8");
    return text
      .split(/^=== /m)
      .slice(1)
      .map((block) => readEmail(block, topic, language));
  });
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAY_MS = 86_400_000;

function readEmail(block: string, topic: string, language: Language): LabelledEmail {
  const [first = "", ...lines] = block.split("\n");
  const id = first.trim();
  const fail = (problem: string): never => {
    throw new Error(`${id}: ${problem}`);
  };
  const moment = (text: string): Moment => {
    const match = /^(\w{3}) (\d{4}-\d\d-\d\d)( \d\d:\d\d)?$/.exec(text.trim());
    const [, weekday, day = "", time = ""] = match ?? fail(`“${text}” is not written as “Fri 2026-11-20 17:00”.`);
    const right = WEEKDAYS[new Date(`${day}T00:00Z`).getUTCDay()];
    return weekday === right ? `${day}${time}` : fail(`${day} is a ${right}, not a ${weekday}.`);
  };
  const either = (text: string) => text.split(" or ").map((part) => (part.trim() === "none" ? "none" : moment(part)));
  const blank = lines.indexOf("");
  const mark = lines.lastIndexOf("--- labels");
  if (mark < 0) fail("it has no labels.");
  const headers = new Map(lines.slice(0, blank).map((line) => pair(line, fail)));
  const receivedAt = moment(headers.get("date") ?? fail("it has no date."));
  const email: LabelledEmail = {
    id,
    topic,
    language,
    headers,
    receivedAt,
    body: lines.slice(blank + 1, mark).join("\n"),
    kinds: [],
    urgency: [],
    todos: [],
    meetings: [],
    codes: [],
  };
  for (const line of lines.slice(mark + 1).filter((each) => each.trim())) {
    const [label, value] = pair(line, fail);
    const [name = "", owner = null] = label.replace(/\?$/, "").split(/ (.*)/);
    const isOptional = label.endsWith("?");
    const [text = "", ...fields] = value.split("|").map((field) => field.trim());
    const titles = text.split(" / ");
    if (name === "kind" && email.kinds.length === 0) email.kinds = value.split("|");
    else if (name === "urgency" && email.urgency.length === 0) email.urgency = levels(value, receivedAt, fail);
    else if (name === "todo") {
      const due = fields.flatMap((field) =>
        field.startsWith("due ") ? either(field.slice(4)) : fail(`“${field}” is no due date.`),
      );
      email.todos.push({ titles, owner, due: due.length > 0 ? due : ["none"], isOptional });
    } else if (name === "meeting") {
      const [start = "", length = "", place = ""] = fields;
      const starts = either(start);
      const end = length.startsWith("until ") ? endOf(length.slice(6), starts[0] ?? "", moment) : null;
      const places = place ? place.split(" / ") : [];
      email.meetings.push({ titles, starts, end, minutes: end ? null : minutesIn(length, fail), places, isOptional });
    } else if (name === "code" || name === "link")
      email.codes.push({ value: text, isLink: name === "link", minutes: minutesIn(fields[0] ?? "", fail) });
    else fail(`“${line}” is not a label, or given twice.`);
  }
  if (email.kinds.length === 0 || email.urgency.length === 0) fail("it needs a kind and an urgency.");
  if (email.urgency.length === 1) email.urgency.push(...laterLevels(email));
  return email;
}

function pair(line: string, fail: (problem: string) => never): [string, string] {
  const at = line.indexOf(":");
  return at < 0 ? fail(`“${line}” has no colon.`) : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

function levels(value: string, receivedAt: Moment, fail: (problem: string) => never): LabelledEmail["urgency"] {
  return value.split(",").map((step, at) => {
    const [words = "", day] = step.trim().split(" ");
    const accepted = words
      .split("|")
      .flatMap((word) => (isLevel(word) ? LEVELS[word] : fail(`“${word}” is no level.`)));
    return { from: at === 0 ? receivedAt : (day ?? fail("a later level needs its day.")), levels: accepted };
  });
}

const isLevel = (word: string): word is LevelWord => Object.hasOwn(LEVELS, word);

const dayOf = (moment: Moment) => moment.slice(0, 10);
const shifted = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** What is due tomorrow is urgent today; what is past is not urgent any more. */
function laterLevels({ todos, receivedAt }: LabelledEmail): LabelledEmail["urgency"] {
  const mine = todos.filter(({ owner, isOptional, due }) => owner === null && !isOptional && !due.includes("none"));
  const days = mine.map(({ due }) => dayOf(due[0] ?? "")).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const eve = shifted(first, -1);
  const urgent = eve > dayOf(receivedAt) ? [{ from: eve, levels: [...LEVELS.urgent] }] : [];
  // Some dates may be read a few days earlier or later: then the urgency is over at the latest of them.
  const end =
    mine
      .flatMap(({ due }) => due.map(dayOf))
      .sort()
      .at(-1) ?? last;
  return [...urgent, { from: shifted(end, 1), levels: [...LEVELS.calm] }];
}

function endOf(text: string, start: Moment, moment: (text: string) => Moment): Moment {
  return /^\d\d:\d\d$/.test(text) ? `${dayOf(start)} ${text}` : moment(text);
}

export function minutesIn(text: string, fail: (problem: string) => never): number | null {
  if (!text) return null;
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(min|h|days?)$/.exec(text) ?? fail(`“${text}” is no length.`);
  return Number(amount) * (unit === "min" ? 1 : unit === "h" ? 60 : 1440);
}
