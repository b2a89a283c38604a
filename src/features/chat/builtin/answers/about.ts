import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { ownSentences } from "../../../../engine/email/sentences.ts";
import { wordSet } from "../../../../lib/words.ts";
import { getTask } from "../../../tasks/service.ts";
import { eventView } from "../../../tools/calendar.ts";
import type { EmailDetails } from "../../../tools/emails.ts";
import { shareOf } from "../../../tools/language/name-match.ts";
import { spokenMinutes } from "../../../tools/reminder-input.ts";
import { taskView } from "../../../tools/tasks.ts";
import { type Asked, askedBy, askedIn } from "../../request/asked.ts";
import { wordsOf } from "../../request/exact.ts";
import type { Request } from "../../request/request.ts";
import { describeRecord } from "../describe.ts";
import { findMail } from "../find.ts";
import { type Answer, emailRecord, eventOf, lookUp, type Scene } from "../plan.ts";
import { answersTo, THINGS } from "../recall.ts";
import { resolve } from "../resolve.ts";
import { emailLine, eventLine, lines, shorten, wholeTask } from "../words/voice.ts";
import { askDay } from "./day.ts";

const MAX_TOLD = 5;

/** A detail of a record: when it is, where, with whom, how long, what it says. All of it is told. */
export async function askAbout(scene: Scene, request: Request): Promise<Answer> {
  const { sight, voice } = scene;
  const asked = askedIn(request);
  if (request.recalled) return tellAll(scene, request.recalled, asked);
  const target = await resolve(sight, request, { kinds: ["event", "task", "email", "draft"], times: request.times });
  if ("unclear" in target)
    return request.times.length > 0 ? askDay(scene, request) : { text: voice.say.unclear, isLost: true };
  if ("refused" in target) return { text: target.refused, isLost: true };
  if ("missing" in target)
    return nothingFound(scene, voice.say.notFound(shorten(target.missing, 60)), request.kind === null);
  const records = "records" in target ? target.records : target.options;
  return (await gapBetween(scene, request, records)) ?? tellAll(scene, records, asked);
}

const GAP = wordSet("between gap interval break breather zwischen entre");

/** "How long is it between the two?" */
async function gapBetween(
  { sight, voice }: Scene,
  { text }: Request,
  records: readonly ChatRecord[],
): Promise<Answer | null> {
  if (
    records.length !== 2 ||
    records.some(({ kind }) => kind !== "event") ||
    !wordsOf(text).some((word) => GAP.has(word))
  )
    return null;
  const events = [];
  for (const record of records) events.push(await eventOf(sight, record));
  const [first, second] = events
    .map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) }))
    .sort((a, b) => a.start - b.start);
  if (!first || !second || second.start < first.end) return null;
  const length = spokenMinutes((second.start - first.end) / 60_000);
  return { text: `${length}: ${voice.span(first.end, second.start)}.`, about: [...records] };
}

export async function tellAll(scene: Scene, records: readonly ChatRecord[], asked: Asked | null): Promise<Answer> {
  const told: string[] = [];
  for (const record of records.slice(0, MAX_TOLD)) told.push(await tell(scene, record, asked, records.length));
  return {
    text: told.join(told.some((text) => text.includes("\n")) ? "\n\n" : "\n"),
    about: records.slice(0, MAX_TOLD),
  };
}

/** The emails that a request is about by any of its words, whatever it takes for a name; null if there are none. */
export async function mailAbout(scene: Scene, request: Request): Promise<Answer | null> {
  const asked: Asked = { ...askedBy(request), kind: "email" };
  const found = (await answersTo(scene.sight, asked, null)).map(({ record }) => record);
  const mails = found.filter(({ kind }) => kind === "email");
  return mails.length > 0 ? tellAll(scene, mails, asked) : null;
}

/** The newest emails, if one may be meant: the person may know a sender by another name than the email does. */
export async function nothingFound(scene: Scene, text: string, isMail: boolean): Promise<Answer> {
  const { voice } = scene;
  const found = isMail && voice.language === "en" ? await findMail(scene, { unread: true, limit: 5 }) : null;
  if (!found || "text" in found || found.mails.length === 0) return { text, isLost: true };
  return {
    text: lines(voice, `${text} Is it one of these?`, found.mails, emailLine(voice)),
    about: found.mails.map(emailRecord),
  };
}

/** So many of several emails, and of one, are quoted whole. */
const WHOLE = 700;
const PART = 300;

/** An email in its own words: all of a short one, of a longer one the sentences that have what is asked for. */
function quoteOf(body: string, asked: Asked | null, characters: number): string {
  const sentences = ownSentences(body).map(({ start, end }) => body.slice(start, end));
  const own = sentences.join(" ");
  if (own.length <= characters) return own || shorten(body, characters);
  const scored = sentences.map((text, at) => ({
    text,
    at,
    score: shareOf((asked?.words ?? []).join(" "), [text]) + (asked?.thing && THINGS[asked.thing].test(text) ? 0.3 : 0),
  }));
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.at - b.at);
  const chosen = best.slice(0, MOST_SENTENCES).sort((a, b) => a.at - b.at);
  return shorten(chosen.length > 0 ? chosen.map(({ text }) => text).join(" … ") : own, characters);
}

const MOST_SENTENCES = 3;

async function tell(scene: Scene, record: ChatRecord, asked: Asked | null, count: number): Promise<string> {
  const { sight, voice } = scene;
  if (record.kind === "task") {
    const task = await getTask(sight.ctx, record.id);
    const note = task.description ? ` ${shorten(task.description, 300)}` : "";
    const state = task.status === "done" ? ` (${voice.say.finished})` : "";
    const due = task.dueAt === null && task.dueDate === null ? `, ${voice.say.noDueDate}` : "";
    return `${wholeTask(voice, sight.timeZone, taskView(task))}${due}${state}.${note}`;
  }
  if (record.kind === "event") {
    const event = await eventOf(sight, record);
    const minutes = (Date.parse(event.end) - Date.parse(event.start)) / 60_000;
    const people = event.attendees.map(({ name, email }) => name ?? email).slice(0, 10);
    const facts = [
      eventLine(voice)(eventView(event)),
      ...(event.allDay || count > 1 ? [] : [spokenMinutes(minutes)]),
      ...(people.length > 0 ? [voice.language === "en" ? `with ${people.join(", ")}` : people.join(", ")] : []),
      ...(event.rrule || event.recurringEventId ? [voice.say.repeating] : []),
    ];
    return `${facts.join(", ")}.${event.description ? ` ${shorten(event.description, 300)}` : ""}`;
  }
  if (record.kind !== "email") return describeRecord(scene, record);
  const email = await lookUp<EmailDetails>(scene, "read_mail", { id: record.id });
  if ("text" in email) return email.text;
  const { from, subject, receivedAt, body } = email;
  const head = `${shorten(from, 60)}: ${shorten(subject) || "(no subject)"} (${voice.moment(Date.parse(receivedAt))})`;
  return `${head}\n“${quoteOf(body, asked, count > 2 ? PART : WHOLE)}”`;
}
