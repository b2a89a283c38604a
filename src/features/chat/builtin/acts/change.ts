import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { dueOf } from "../../../../engine/due-date.ts";
import { saidMinutes } from "../../../../engine/notes/message-time.ts";
import { reminderBeforeOther, reminderPhrases } from "../../../../engine/reminder-words.ts";
import {
  DAY_MS,
  dateOf,
  HOUR_MS,
  MINUTE_MS,
  toInstant,
  toWall,
  wallDay,
  wallOfDate,
} from "../../../../lib/time-zone.ts";
import { getEvent } from "../../../calendar/events/service.ts";
import { getTask } from "../../../tasks/service.ts";
import { wordsOf } from "../../request/exact.ts";
import { levelIn } from "../../request/filters.ts";
import type { Kind } from "../../request/reference.ts";
import { type Request, slotsOf } from "../../request/request.ts";
import { bareTime, doubtIn, type Moment, minutesIn, momentOf, moveIn, ruleIn } from "../../request/times.ts";
import { recordsNamed } from "../find.ts";
import { listOf } from "../labels.ts";
import { type Plan, type Planned, refOf, type Scene, type Sight } from "../plan.ts";
import { resolve } from "../resolve.ts";
import { shorten } from "../words/voice.ts";
import { addTask, dueInput, today, withoutArticle } from "./add.ts";
import { change, forTarget } from "./target.ts";
import { newTitles, tidy } from "./titles.ts";

const EITHER: readonly Kind[] = ["event", "task"];

/** To another day or time. */
export async function move(scene: Scene, request: Request): Promise<Planned> {
  const { sight, voice } = scene;
  const doubt = doubtIn(request.times);
  if (doubt) return { text: `${doubt} ${voice.say.unchanged}` };
  const sign = directionIn(request);
  if (sign && lengthIn(scene, request) !== null) return shift(sign)(scene, request);
  const said = moveIn(request.message, request.times);
  // "move it to 10"; in "make my 3pm 4", the time that is left is the new one.
  const bare = said.target.length === 0 ? bareTime(request.rest, sight.clock) : [];
  const { source, target } = bare.length > 0 ? { source: said.source, target: bare } : said;
  const moment = momentOf(target, sight.clock);
  return forTarget(scene, request, { kinds: EITHER, times: source }, (record) =>
    moment ? movedTo(sight, record, moment) : askMoveTo(scene, record),
  );
}

export function askMoveTo({ voice }: Scene, record: ChatRecord): Planned {
  const tool = record.kind === "task" ? "update_task" : "move_event";
  return {
    text: voice.say.askMoveTo(shorten(record.title, 80)),
    about: [record],
    question: { kind: "when", tool, input: refOf(record), day: null },
  };
}

/** A date alone keeps the time of day, a time alone keeps the day. */
export async function movedTo(sight: Sight, record: ChatRecord, moment: Moment): Promise<Plan> {
  if (record.kind === "task") return change("update_task", record, { dueAt: await dueAfter(sight, record, moment) });
  const { time, end } = moment;
  const day = await dayFor(sight, record, moment);
  const at = await nearHalf(sight, record, moment);
  const wall = new Date(toWall(sight.timeZone, at.getTime())).toISOString();
  const start =
    time === null ? { start: day } : day === null ? { time: wall.slice(11, 16) } : { start: at.toISOString() };
  const minutes = end ? (end.getTime() - moment.at.getTime()) / MINUTE_MS : null;
  return change("move_event", record, { ...start, ...(minutes && { durationMinutes: minutes }) });
}

/** "Next week" keeps the day of the week. */
async function dayFor(
  { ctx, timeZone }: Sight,
  { id, occurrence }: ChatRecord,
  { day, found }: Moment,
): Promise<string | null> {
  if (day === null || found.type !== "daterange" || found.grain !== "week" || !found.from) return day;
  const event = await getEvent(ctx, id, occurrence ? new Date(occurrence) : undefined);
  const wall = toWall(timeZone, Date.parse(event.start));
  const weeks = Math.ceil((wallDay(toWall(timeZone, found.from.getTime())) - wallDay(wall)) / (7 * DAY_MS));
  return dateOf(wallDay(wall) + Math.max(1, weeks) * 7 * DAY_MS);
}

async function dueAfter(sight: Sight, { id }: ChatRecord, moment: Moment): Promise<string> {
  const { time, at } = moment;
  const due = time === null ? dueOf(moment.found, sight.clock) : null;
  const day = due ? dateOf(toWall(sight.timeZone, due.getTime())) : moment.day;
  if (day !== null && time !== null) return at.toISOString();
  const { dueAt, dueDate } = await getTask(sight.ctx, id);
  const before = dueAt === null ? null : new Date(toWall(sight.timeZone, Date.parse(dueAt))).toISOString();
  if (day === null) return `${dueDate ?? before?.slice(0, 10) ?? today(sight)}T${time}:00`;
  return dueDate === null && before ? `${day}T${before.slice(11, 19)}` : day;
}

const EVENING = 17;
const LATEST = 22.5;

/** "make it 8", of something at 19:00, is 20:00. */
async function nearHalf(
  { ctx, timeZone }: Sight,
  { id, occurrence }: ChatRecord,
  { at, isOpenHour }: Moment,
): Promise<Date> {
  if (!isOpenHour) return at;
  const event = await getEvent(ctx, id, occurrence ? new Date(occurrence) : undefined);
  if (event.allDay) return at;
  const hourOf = (instant: number) => (toWall(timeZone, instant) - wallDay(toWall(timeZone, instant))) / HOUR_MS;
  const [hour, ofEvent] = [hourOf(at.getTime()), hourOf(Date.parse(event.start))];
  const isNearer = (other: number) => Math.abs(other - ofEvent) < Math.abs(hour - ofEvent);
  const isLate = hour >= 7 && hour < 12 && ofEvent >= (hour < 8 ? 12 : EVENING) && hour + 12 <= LATEST;
  const hours =
    isLate && isNearer(hour + 12) ? 12 : hour >= 16 && hour < 19 && ofEvent < 9 && isNearer(hour - 12) ? -12 : 0;
  return new Date(at.getTime() + hours * HOUR_MS);
}

const BESIDE =
  /\b(?:earlier|later|sooner|before|after|forwards?|back|ahead|longer|shorter|früher|später|länger|kürzer|plus tôt|plus tard|antes|después|más tarde|más)\b/gi;

const LATER = /\b(?:later|back|später|plus tard|más tarde)\b/i;
const EARLIER = /\b(?:earlier|sooner|forwards?|früher|plus tôt|antes)\b/i;

/** "an hour later" moves by an amount, however it was read; "later, at 3" moves to a time. */
function directionIn({ text, times }: Request): 1 | -1 | null {
  const isClockSaid = times.some(
    ({ type, text: words }) => /time/.test(type) && !LATER.test(words) && !EARLIER.test(words),
  );
  if (isClockSaid) return null;
  return LATER.test(text) ? 1 : EARLIER.test(text) ? -1 : null;
}

/** The length that a wish names: "an hour", also of "an hour earlier". */
function lengthIn({ sight }: Scene, { times, text }: Request): number | null {
  return minutesIn(times) ?? saidMinutes(text.replace(BESIDE, " "), sight.clock);
}

/** By an amount of time: later, or earlier. */
export const shift =
  (sign: 1 | -1) =>
  async (scene: Scene, request: Request): Promise<Planned> => {
    const minutes = lengthIn(scene, request);
    // "an hour earlier", but also "make it earlier, at 3".
    if (minutes === null) return move(scene, request);
    return forTarget(scene, request, { kinds: EITHER }, async (record) => {
      if (record.kind === "event") return change("move_event", record, { shiftMinutes: sign * minutes });
      const { dueAt, dueDate } = await getTask(scene.sight.ctx, record.id);
      if (dueAt === null) return askMoveTo(scene, record);
      const at = new Date(Date.parse(dueAt) + sign * minutes * MINUTE_MS);
      return change("update_task", record, dueDate === null ? { dueAt: at.toISOString() } : dueInput(scene.sight, at));
    });
  };

/** To a length, or longer or shorter by an amount. */
export const lengthen =
  (sign: 0 | 1 | -1) =>
  async (scene: Scene, request: Request): Promise<Planned> => {
    const minutes = lengthIn(scene, request);
    if (minutes === null) return move(scene, request);
    return forTarget(scene, request, { kinds: EITHER }, (record) => {
      if (record.kind === "task") return change("update_task", record, { estimateMinutes: minutes });
      return change(
        "update_event",
        record,
        sign === 0 ? { durationMinutes: minutes } : { longerMinutes: sign * minutes },
      );
    });
  };

/** Until a time of day, or, if it lasts days, until a day. */
export async function endAt(scene: Scene, request: Request): Promise<Planned> {
  const { sight } = scene;
  const moment = momentOf(request.times.length > 0 ? request.times : bareTime(request.rest, sight.clock), sight.clock);
  if (!moment) return move(scene, request);
  return forTarget(scene, request, { kinds: EITHER }, async (record) => {
    if (record.kind === "task") return movedTo(sight, record, moment);
    const event = await getEvent(sight.ctx, record.id, record.occurrence ? new Date(record.occurrence) : undefined);
    const first = toWall(sight.timeZone, Date.parse(event.start));
    if (moment.time === null) {
      const end = new Date(toInstant(sight.timeZone, wallOfDate(moment.day ?? "") + 24 * HOUR_MS)).toISOString();
      return event.allDay
        ? change("move_event", record, { start: new Date(first).toISOString().slice(0, 10), end })
        : movedTo(sight, record, moment);
    }
    const wall = toWall(sight.timeZone, (moment.end ?? moment.at).getTime());
    const said = moment.day === null ? wallDay(first) + (wall - wallDay(wall)) : wall;
    const minutes = (toInstant(sight.timeZone, said) - Date.parse(event.start)) / MINUTE_MS;
    // "Until 9", of something that begins at 19:00.
    const length = minutes <= 0 && minutes > -720 && moment.isOpenHour ? minutes + 720 : minutes;
    return length > 0 ? change("update_event", record, { durationMinutes: length }) : askMoveTo(scene, record);
  });
}

const INSTEAD = /\s+(?:instead of|rather than|statt|anstatt|au lieu de|en vez de)\s+/i;

export async function rename(scene: Scene, request: Request): Promise<Planned> {
  const [said = ""] = newTitles(request);
  // "Parsley instead of basil": the one that is replaced is named, too.
  const [title, before] = said.split(INSTEAD);
  const known = before ? await recordsNamed(scene.sight, { words: before, kinds: EITHER }) : [];
  const meant = known.length === 1 && known[0] ? { ...request, about: known[0] } : request;
  return forTarget(scene, meant, { kinds: EITHER }, (record) => {
    const tool = record.kind === "task" ? "update_task" : "update_event";
    if (title) return change(tool, record, { title });
    return { text: scene.voice.say.askTitle, about: [record], question: { kind: "what", tool, input: refOf(record) } };
  });
}

export async function place(scene: Scene, request: Request): Promise<Planned> {
  const [where] = [...slotsOf(request, "p"), ...slotsOf(request, "n")];
  if (!where) return { text: "Where should it be? Say, for example: it is at the town hall.", isLost: true };
  return forTarget(scene, request, { kinds: ["event"] }, (record) =>
    change("update_event", record, { location: withoutArticle(where) }),
  );
}

export async function invite(scene: Scene, request: Request): Promise<Planned> {
  const said = slotsOf(request, "g");
  const people = said.length > 0 ? said : wordsOf(request.rest).filter((word) => word === "her" || word === "him");
  if (people.length === 0) return { text: "Whom should I add? Say a name or an email address.", isLost: true };
  return forTarget(scene, request, { kinds: ["event"] }, (record) =>
    change("update_event", record, { addAttendees: people.map((person) => meantPerson(person, record.title)) }),
  );
}

/** "Invite her", to "Chat with Priya": the person whom the title names. */
function meantPerson(person: string, title: string): string {
  const named = /\b(?:with|mit|avec|con)\s+(\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)?)/u.exec(title)?.[1];
  return /^(?:her|him|them|she|he)$/i.test(person) && named ? named : person;
}

export async function uninvite(scene: Scene, request: Request): Promise<Planned> {
  const people = slotsOf(request, "g").map((person) => person.toLowerCase());
  return forTarget(scene, request, { kinds: ["event"] }, async (record) => {
    const { attendees } = await getEvent(
      scene.sight.ctx,
      record.id,
      record.occurrence ? new Date(record.occurrence) : undefined,
    );
    const isMeant = ({ name, email }: { name: string | null; email: string }) =>
      people.some(
        (person) => email === person || `${name ?? ""} ${email.split("@")[0]}`.toLowerCase().includes(person),
      );
    const gone = attendees.filter(isMeant).map(({ email }) => email);
    if (gone.length > 0) return change("update_event", record, { removeAttendees: gone });
    return {
      text: `${shorten(people.join(", "), 60) || "Nobody of that name"} is not in “${shorten(record.title, 80)}”.`,
      about: [record],
    };
  });
}

export async function priority(scene: Scene, request: Request): Promise<Planned> {
  const level = levelIn(request.rest) ?? levelIn(request.text);
  if (!level) return { text: "Which priority: low, medium, high or urgent?", isLost: true };
  return forTarget(scene, request, { kinds: ["task"] }, (record) => change("update_task", record, { priority: level }));
}

export const undate = (scene: Scene, request: Request): Promise<Planned> =>
  forTarget(scene, request, { kinds: ["task"] }, (record) => change("update_task", record, { dueAt: null }));

export async function toList(scene: Scene, request: Request): Promise<Planned> {
  const list = await listOf(scene.sight, request);
  if (!list) return { text: "To which list? Say, for example: move buy milk to the shopping list.", isLost: true };
  return forTarget(scene, request, { kinds: ["task"] }, (record) => change("update_task", record, { list }));
}

export async function repeat(scene: Scene, request: Request): Promise<Planned> {
  const rrule = ruleIn(request.times);
  if (!rrule) return { text: "How often? Say, for example: every Monday.", isLost: true };
  return repeatBy(scene, request, rrule);
}

export const noRepeat = (scene: Scene, request: Request): Promise<Planned> => repeatBy(scene, request, null);

function repeatBy(scene: Scene, request: Request, rrule: string | null): Promise<Planned> {
  return forTarget(scene, request, { kinds: EITHER }, (record) =>
    record.kind === "task"
      ? change("update_task", record, { rrule })
      : // A rule is of the whole series.
        { calls: [{ tool: "update_event", input: { id: record.id, rrule }, label: record.title }] },
  );
}

/** When to be reminded of something that exists. */
export async function remind(scene: Scene, request: Request): Promise<Planned> {
  const { sight } = scene;
  const phrases = reminderPhrases(request.text);
  const before =
    reminderBeforeOther(request.text)?.minutesBefore ?? phrases.flatMap(({ minutesBefore }) => minutesBefore);
  const minutes = minutesIn(request.times);
  const moment = momentOf(request.times, sight.clock);
  const reminders =
    before.length > 0
      ? before.map((minutesBefore) => ({ minutesBefore }))
      : minutes !== null
        ? [{ minutesBefore: minutes }]
        : moment?.time
          ? [{ at: moment.at.toISOString() }]
          : null;
  const target = await resolve(sight, request, { kinds: EITHER });
  // "Remind me at 8 to take the pills": nothing of that name is there yet.
  if (!("records" in target) && !("options" in target)) return addTask(scene, request.as("add_task"));
  if (!reminders) return { text: "When should I remind you of it? Say, for example: an hour before.", isLost: true };
  return forTarget(scene, request, { kinds: EITHER }, (record) =>
    change(record.kind === "task" ? "update_task" : "update_event", record, { reminders }),
  );
}

/** Adds a remark to what is written down already. */
export async function note(scene: Scene, request: Request): Promise<Planned> {
  const { ctx } = scene.sight;
  const text = slotsOf(request, "n").join(", ") || slotsOf(request, "m").join(", ");
  if (!text) return { text: "What should I note?", isLost: true };
  // "Make a note: the wifi password is 1234" is about nothing that exists.
  const isOwn = request.names.length === 0 && !request.reference && /\bnote\b/i.test(request.text);
  if (isOwn) return { calls: [{ tool: "create_task", input: { title: tidy(text) }, label: tidy(text) }] };
  return forTarget(scene, request, { kinds: EITHER }, async (record) => {
    const { description } =
      record.kind === "task"
        ? await getTask(ctx, record.id)
        : await getEvent(ctx, record.id, record.occurrence ? new Date(record.occurrence) : undefined);
    const whole = [description, tidy(text)].filter(Boolean).join("\n").slice(0, 5000);
    return change(record.kind === "task" ? "update_task" : "update_event", record, { description: whole });
  });
}
