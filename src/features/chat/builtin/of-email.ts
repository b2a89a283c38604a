import type { ChatRecord } from "../../../db/schema/chat.ts";
import { datesIn } from "../../../engine/notes/message-time.ts";
import { DAY_MS, dateOf, toInstant, toWall } from "../../../lib/time-zone.ts";
import type { Email } from "../../emails/schemas.ts";
import { getEmail } from "../../emails/service.ts";
import { eventView } from "../../tools/calendar.ts";
import type { EmailDetails } from "../../tools/emails.ts";
import { matchingEvents, matchingTasks } from "../../tools/find-record.ts";
import { shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Kind } from "../request/reference.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { type Moment, minutesIn, momentOf } from "../request/times.ts";
import { timesOfEmail, whenIs } from "./anchors.ts";
import { mayRead } from "./find.ts";
import {
  type Call,
  distinct,
  eventRecord,
  lookUp,
  onlyOf,
  type Plan,
  type Planned,
  type Scene,
  type Sight,
  taskRecord,
} from "./plan.ts";
import { shorten } from "./words/voice.ts";

/* What the email that was talked about says of the person's own records: which it is about, and which times it names. */

/** The email that the last reply was about, perhaps with other records, also if an answer to it was drafted. */
export function emailInTalk({ state }: Sight): ChatRecord | null {
  const [first = [], second = []] = state.groups;
  const group = first[0]?.kind === "draft" ? second : first;
  return onlyOf(distinct(group).filter(({ kind }) => kind === "email")) ?? null;
}

const AHEAD_DAYS = 30;
const LONGEST = 2000;
/** A word of the sender's name tells more than one of the subject, and that more than one of the text. */
const [BY_SENDER, BY_SUBJECT, BY_TEXT, BY_GUEST, BY_DAY] = [2, 1.5, 1, 3, 0.7];
const ENOUGH = 1.5;

/** The events and tasks that the email in talk is most likely about. They are only asked about, never changed at once. */
export async function recordsOfEmail(sight: Sight, kinds: readonly Kind[]): Promise<ChatRecord[]> {
  const talked = emailInTalk(sight);
  if (!talked || !mayRead(sight, "emails:read")) return [];
  const email = await getEmail(sight.ctx, talked.id);
  const found: { record: ChatRecord; score: number }[] = [];
  if (kinds.includes("event") && mayRead(sight, "calendar:read")) {
    const days = new Set(timesOfEmail(sight, email).map(({ day }) => day));
    const until = new Date(sight.ctx.now.getTime() + AHEAD_DAYS * DAY_MS).toISOString();
    for (const event of await matchingEvents(sight, { until })) {
      const isThen = days.has(dateOf(toWall(sight.timeZone, Date.parse(event.start))));
      const isGuest = event.attendees.some((guest) => guest.email === email.from.email);
      const score = nearness(email, `${event.title} ${event.location ?? ""}`) + (isThen ? BY_DAY : 0);
      found.push({ record: eventRecord(eventView(event)), score: score + (isGuest ? BY_GUEST : 0) });
    }
  }
  if (kinds.includes("task") && mayRead(sight, "tasks:read")) {
    for (const task of await matchingTasks(sight, ""))
      found.push({ record: taskRecord(task), score: nearness(email, task.title) });
  }
  const best = Math.max(ENOUGH, ...found.map(({ score }) => score));
  return found.filter(({ score }) => score > best - 0.1).map(({ record }) => record);
}

function nearness({ from, subject, body }: Email, words: string): number {
  const scores = tellingWords(words).map((word) => {
    const isIn = (text: string) => shareOf(word, [text]) > 0.9;
    return isIn(from.name ?? "") ? BY_SENDER : isIn(subject) ? BY_SUBJECT : isIn(body.slice(0, LONGEST)) ? BY_TEXT : 0;
  });
  return scores.reduce((sum, score) => sum + score, 0);
}

function timeWords({ voice }: Scene, { day, time, at, end }: Moment): string {
  if (time === null) return voice.day(at.getTime());
  const start = day === null ? voice.clock(at.getTime()) : voice.moment(at.getTime());
  return end ? `${start}–${voice.clock(end.getTime())}` : start;
}

/**
 * Plans for the times of the email in talk that can be meant: those to come, and for a record another one than it has. Of
 * several, the person says which. The email is by somebody else, so that nothing is done at once. Null: it names none.
 */
export async function byEmailTimes(
  scene: Scene,
  record: ChatRecord | null,
  planFor: (moment: Moment, email: EmailDetails) => Promise<Plan>,
): Promise<Planned | null> {
  const { sight, voice } = scene;
  const talked = emailInTalk(sight);
  const email = talked && (await lookUp<EmailDetails>(scene, "read_mail", { id: talked.id }));
  if (!email || "text" in email) return null;
  const now = record && (await whenIs(sight, record));
  const isNow = ({ day, time, end, isOpenHour }: Moment) =>
    now !== null &&
    (day === null || day === now.day) &&
    (time === null || time === now.start || (isOpenHour && time.slice(1) === now.start?.slice(1))) &&
    end === null;
  const ahead = timesOfEmail(sight, email, record?.kind === "task").filter(
    (each) => (each.day === null || each.at > sight.ctx.now) && !isNow(each),
  );
  const timed = ahead.filter(({ time }) => time !== null);
  const calls = new Map<string, Call>();
  for (const each of (timed.length > 0 ? timed : ahead).slice(0, MOST_TIMES)) {
    const [call] = (await planFor(each, email)).calls;
    const label = timeWords(scene, each);
    if (call) calls.set(label, { ...call, label });
  }
  const options = [...calls.values()];
  const [only, ...others] = options;
  if (!only) return null;
  const writer = shorten(email.from, 60);
  if (others.length === 0) {
    // What is new is proposed, as everything is that comes of an email.
    if (!record) return { calls: [only] };
    const text = `Should I move “${shorten(record.title, 80)}” to ${only.label}, as ${writer} writes? Say yes or no.`;
    return { text, about: [record], question: { kind: "confirm", calls: options } };
  }
  const shown = options.map(({ label }, at) => `${at + 1}. ${label}`);
  const text = [`${writer} names more than one time.`, ...shown, voice.say.whichOne].join("\n");
  return { text, ...(record && { about: [record] }), question: { kind: "which", options } };
}

const MOST_TIMES = 6;

/** "Put it in my calendar": an event with the subject of the email in talk, at the time that the person or the email names. */
export async function addByEmail(scene: Scene, { title }: ChatRecord, request: Request): Promise<Planned> {
  const { clock, timeZone } = scene.sight;
  const label = shorten(slotsOf(request, "n")[0] ?? title.replace(/^(?:(?:re|fwd?|aw): ?)+/i, ""), 80);
  const said = momentOf(request.times, clock);
  const saidMinutes = minutesIn(request.times);
  const input = { title: label, ...(saidMinutes !== null && { durationMinutes: saidMinutes }) };
  const isWhole = /\b(?:all|whole|full)[- ]day\b/i.test(request.text);
  const planFor = async (moment: Moment, { body }: { body: string }): Promise<Plan> => {
    const { at, end, day } = moment;
    const time = isWhole ? null : (said?.time ?? moment.time);
    const minutes = saidMinutes ?? minutesIn(datesIn(body.slice(0, LONGEST), clock));
    const start = said?.time && day ? new Date(toInstant(timeZone, Date.parse(`${day}T${said.time}Z`))) : at;
    const isOwnEnd = end && saidMinutes === null && start === at;
    const length = isOwnEnd ? { end: end.toISOString() } : minutes !== null && { durationMinutes: minutes };
    const when = time === null ? { start: day, allDay: true } : { start: start.toISOString(), ...length };
    // A time of day without its day says too little.
    return {
      calls: day === null ? [] : [{ tool: "create_event", input: { title: label, ...when }, label }],
      isGuess: true,
    };
  };
  if (said?.day && (said.time || isWhole)) return planFor(said, { body: "" });
  const question = { kind: "when", tool: "create_event", input, day: said?.day ?? null } as const;
  const found = said?.day ? null : await byEmailTimes(scene, null, planFor);
  return found ?? { text: scene.voice.say.askWhen(label), question };
}
