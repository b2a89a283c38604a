import type { ChatRecord } from "../../../../db/schema/chat.ts";
import type { FoundDate } from "../../../../engine/dates/find-dates.ts";
import { dueOf } from "../../../../engine/due-date.ts";
import { saidMinutes } from "../../../../engine/notes/message-time.ts";
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
import { getTask } from "../../../tasks/service.ts";
import { classesOf } from "../../reader/word-classes.ts";
import { wordsOf } from "../../request/exact.ts";
import { levelIn } from "../../request/filters.ts";
import { EITHER } from "../../request/reference.ts";
import type { Request } from "../../request/request.ts";
import {
  bareTime,
  boundsIn,
  doubtIn,
  factorIn,
  fromTo,
  type Moment,
  minutesIn,
  momentOf,
  moveIn,
} from "../../request/times.ts";
import { byEmailTimes } from "../of-email.ts";
import { eventOf, type Plan, type Planned, refOf, type Scene, type Sight } from "../plan.ts";
import { shorten } from "../words/voice.ts";
import { dueInput, today } from "./add.ts";
import { change, forTarget } from "./target.ts";

type Change = "move" | "later" | "earlier" | "length" | "longer" | "shorter" | "until";

/**
 * Another time, or another length. Which of these is settled by the words about time, because they say it better than
 * a reading of the whole: "an hour later", "to 20 minutes", "until 5", "at 3".
 */
export const retime =
  (act: Change) =>
  (scene: Scene, request: Request): Promise<Planned> | Planned => {
    const { voice } = scene;
    const doubt = doubtIn(request.times);
    if (doubt) return { text: `${doubt} ${voice.say.unchanged}` };
    const factor = factorIn(request.text);
    if (factor !== null && request.times.length === 0) return stretch(scene, request, factor);
    const { start, end } = boundsIn(request.message, request.times);
    if (start && end) return moveBetween(scene, request, start, end);
    const minutes = lengthIn(scene, request);
    const sign = directionIn(request);
    if (sign && minutes !== null) return shift(scene, request, sign * minutes);
    const hasMoment = request.times.some((each) => each.type !== "duration" && each.type !== "set");
    if (minutes !== null && !hasMoment) return byLength(scene, request, act, minutes);
    // "And the rehearsal to 7" moves it. A word such as "until" says that the end is meant.
    const isEnd = act === "until" && wordsOf(request.text).some((word) => classesOf(word).includes("until"));
    return isEnd || (end !== null && act !== "move") ? endAt(scene, request) : move(scene, request);
  };

function stretch(scene: Scene, request: Request, factor: number): Promise<Planned> {
  return forTarget(scene, request, { kinds: ["event"] }, async (record) => {
    const event = await eventOf(scene.sight, record);
    const minutes = (Date.parse(event.end) - Date.parse(event.start)) / MINUTE_MS;
    return change("update_event", record, { durationMinutes: Math.max(5, Math.round(minutes * factor)) });
  });
}

/** From a time to a time: both are new, or one is said to stay. */
function moveBetween(scene: Scene, request: Request, start: FoundDate, end: FoundDate): Promise<Planned> {
  const { sight } = scene;
  const [from, to] = [momentOf([start], sight.clock), momentOf([end], sight.clock)];
  return forTarget(scene, request, { kinds: ["event"] }, async (record) => {
    if (!from || !to) return askMoveTo(scene, record);
    const hours = (at: Date) => toWall(sight.timeZone, at.getTime()) - wallDay(toWall(sight.timeZone, at.getTime()));
    const [begin, finish] = [await nearHalf(sight, record, from), to.at];
    const length = (hours(finish) - hours(begin)) / MINUTE_MS;
    const minutes = length <= 0 && to.isOpenHour ? length + 720 : length;
    if (minutes <= 0) return askMoveTo(scene, record);
    const { calls } = await movedTo(sight, record, { ...from, at: begin });
    return { calls: calls.map((call) => ({ ...call, input: { ...call.input, durationMinutes: minutes } })) };
  });
}

const TO_LENGTH = /\b(?:to|auf|à|a)\s+(?:about |just |only |nur )?$/i;

/** To a length, longer or shorter by one, or later by one. */
function byLength(scene: Scene, request: Request, act: Change, minutes: number): Promise<Planned> | Planned {
  const said = request.times.find(({ type }) => type === "duration");
  const isTo = said ? TO_LENGTH.test(request.message.slice(0, said.start)) : false;
  const isShift = act === "later" || act === "earlier" || act === "move";
  if (isShift && !isTo) return shift(scene, request, act === "earlier" ? -minutes : minutes);
  const sign = act === "longer" ? 1 : act === "shorter" ? -1 : 0;
  return lengthen(scene, request, isTo ? 0 : sign, minutes);
}

/** To another day or time. */
function move(scene: Scene, request: Request): Promise<Planned> {
  const { sight } = scene;
  const said = moveIn(request.message, request.times);
  // "move it to 10"; in "make my 3pm 4", the time that is left is the new one.
  const bare = said.target.length === 0 ? bareTime(request.rest, sight.clock) : [];
  const { source, target } = bare.length > 0 ? { source: said.source, target: bare } : said;
  const moment = momentOf(target, sight.clock);
  const both = target.length === 1 ? fromTo(target[0]) : null;
  const [old, fresh] = both ? [momentOf(both.source, sight.clock), momentOf(both.target, sight.clock)] : [];
  const isKnown = request.names.length > 0 || request.reference !== null || sight.state.isWritten;
  const times = both && !isKnown ? both.source : source;
  return forTarget(scene, request, { kinds: EITHER, times }, async (record) => {
    if (!moment)
      return (await byEmailTimes(scene, record, (said) => movedTo(sight, record, said))) ?? askMoveTo(scene, record);
    // "from 3 to 4", of something that is at 3 now.
    const level = record.kind === "task" ? levelIn(request.text) : null;
    if (level) {
      const dueAt = await dueAfter(sight, record, moment);
      return change("update_task", record, { dueAt, priority: level });
    }
    const isOld = old?.time && record.kind === "event" && (await clockOf(sight, record)) === old.time;
    return movedTo(sight, record, isOld && fresh ? fresh : moment);
  });
}

function askMoveTo({ voice }: Scene, record: ChatRecord): Planned {
  const tool = record.kind === "task" ? "update_task" : "move_event";
  return {
    text: voice.say.askMoveTo(shorten(record.title, 80)),
    about: [record],
    question: { kind: "when", tool, input: refOf(record), day: null },
  };
}

const clockOf = async (sight: Sight, record: ChatRecord) =>
  new Date(toWall(sight.timeZone, Date.parse((await eventOf(sight, record)).start))).toISOString().slice(11, 16);

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
async function dayFor(sight: Sight, record: ChatRecord, { day, found }: Moment): Promise<string | null> {
  if (day === null || found.type !== "daterange" || found.grain !== "week" || !found.from) return day;
  const wall = toWall(sight.timeZone, Date.parse((await eventOf(sight, record)).start));
  const weeks = Math.ceil((wallDay(toWall(sight.timeZone, found.from.getTime())) - wallDay(wall)) / (7 * DAY_MS));
  return dateOf(wallDay(wall) + Math.max(1, weeks) * 7 * DAY_MS);
}

async function dueAfter(sight: Sight, { id }: ChatRecord, moment: Moment): Promise<string> {
  const { time, at } = moment;
  const due = time === null ? dueOf(moment.found, sight.clock) : null;
  const day = due ? dateOf(toWall(sight.timeZone, due.getTime())) : moment.day;
  if (day !== null && time !== null) return at.toISOString();
  const { dueAt, dueDate } = await getTask(sight.ctx, id);
  const before = dueAt === null ? null : new Date(toWall(sight.timeZone, Date.parse(dueAt))).toISOString();
  if (day === null) {
    const said = dueAt === null || dueDate !== null ? at : inHalf(sight, moment, Date.parse(dueAt));
    const hour = new Date(toWall(sight.timeZone, said.getTime())).toISOString().slice(11, 16);
    const due = Date.parse(`${dueDate ?? before?.slice(0, 10) ?? today(sight)}T${hour}:00Z`);
    // "8 o'clock", said at noon of something that is due today, is in the evening.
    const isLater = moment.isOpenHour && hour < "12:00" && due < toWall(sight.timeZone, sight.ctx.now.getTime());
    return new Date(due + (isLater ? 12 * HOUR_MS : 0)).toISOString().slice(0, 19);
  }
  return dueDate === null && before ? `${day}T${before.slice(11, 19)}` : day;
}

const EVENING = 17;
const LATEST = 22.5;

/** "make it 8", of something at 19:00, is 20:00. */
async function nearHalf(sight: Sight, record: ChatRecord, moment: Moment): Promise<Date> {
  if (!moment.isOpenHour) return moment.at;
  const event = await eventOf(sight, record);
  return event.allDay ? moment.at : inHalf(sight, moment, Date.parse(event.start));
}

function inHalf({ timeZone }: Sight, { at, isOpenHour }: Moment, before: number): Date {
  if (!isOpenHour) return at;
  const hourOf = (instant: number) => (toWall(timeZone, instant) - wallDay(toWall(timeZone, instant))) / HOUR_MS;
  const [hour, ofRecord] = [hourOf(at.getTime()), hourOf(before)];
  const isNearer = (other: number) => Math.abs(other - ofRecord) < Math.abs(hour - ofRecord);
  const isLate = hour >= 7 && hour < 12 && ofRecord >= (hour < 8 ? 12 : EVENING) && hour + 12 <= LATEST;
  const hours =
    isLate && isNearer(hour + 12) ? 12 : hour >= 16 && hour < 19 && ofRecord < 9 && isNearer(hour - 12) ? -12 : 0;
  return new Date(at.getTime() + hours * HOUR_MS);
}

const BESIDE =
  /\b(?:earlier|later|sooner|before|after|forwards?|back|ahead|longer|shorter|früher|später|länger|kürzer|plus tôt|plus tard|antes|después|más tarde|más)\b/gi;

const LATER = /\b(?:later|back|später|plus tard|más tarde)\b/i;
const EARLIER =
  /\b(?:earlier|sooner|forwards?|früher|plus tôt|antes)\b|\b(?:days?|weeks?|hours?|minutes?) before(?=[.,!]|$| please\b)/i;

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
  return minutesIn(times) ?? saidMinutes(text.replace(BESIDE, " ").replace(FILLING, "$1"), sight.clock);
}

/** "a full hour", "another 15 minutes" */
const FILLING =
  /\b(an? )?(?:full|whole|solid|good|extra|another|more|ganze|ganzen)\s+(?=\d|hours?|half|quarter|minutes?|stunden?)/gi;

/** By an amount of time: later, or earlier. */
function shift(scene: Scene, request: Request, minutes: number): Promise<Planned> {
  return forTarget(scene, request, { kinds: EITHER }, async (record) => {
    if (record.kind === "event") return change("move_event", record, { shiftMinutes: minutes });
    const { dueAt, dueDate } = await getTask(scene.sight.ctx, record.id);
    if (dueAt === null) return askMoveTo(scene, record);
    const at = new Date(Date.parse(dueAt) + minutes * MINUTE_MS);
    return change("update_task", record, dueDate === null ? { dueAt: at.toISOString() } : dueInput(scene.sight, at));
  });
}

/** To a length, or longer or shorter by an amount. */
function lengthen(scene: Scene, request: Request, sign: 0 | 1 | -1, minutes: number): Promise<Planned> {
  return forTarget(scene, request, { kinds: EITHER }, (record) => {
    if (record.kind === "task") return change("update_task", record, { estimateMinutes: minutes });
    return change(
      "update_event",
      record,
      sign === 0 ? { durationMinutes: minutes } : { longerMinutes: sign * minutes },
    );
  });
}

/** Until a time of day, or, if it lasts days, until a day. */
async function endAt(scene: Scene, request: Request): Promise<Planned> {
  const { sight } = scene;
  const moment = momentOf(request.times.length > 0 ? request.times : bareTime(request.rest, sight.clock), sight.clock);
  if (!moment) return move(scene, request);
  return forTarget(scene, request, { kinds: EITHER }, async (record) => {
    if (record.kind === "task") return movedTo(sight, record, moment);
    const event = await eventOf(sight, record);
    const first = toWall(sight.timeZone, Date.parse(event.start));
    if (moment.time === null) {
      // "Until Thursday", of something that begins on Monday of next week, is the Thursday after it.
      const said = wallOfDate(moment.day ?? "");
      const weeks = said < wallDay(first) ? Math.ceil((wallDay(first) - said) / (7 * DAY_MS)) : 0;
      const end = new Date(toInstant(sight.timeZone, said + (7 * weeks + 1) * DAY_MS)).toISOString();
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
