import { datesIn, isMoment } from "../../../engine/assistant/message-time.ts";
import { REF, readReference } from "../../../engine/conversation/reference.ts";
import { toWall } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import type { Turn } from "../turn.ts";
import { addEvent } from "./events.ts";
import { meant } from "./references.ts";
import { lines, type Reply, shorten } from "./reply-text.ts";

const THEN = /\b(?:at that time|at this time|for that time|at that|for then|then)[\s.!?]*$/i;
const SAME_TIME = /\b(?:at )?(?:the |that )?same time\b/i;

/** The message with "then" and "the same time" replaced by the time that the conversation is about. */
export async function withMeantTime(turn: Turn, message: string): Promise<string> {
  const moments = datesIn(message, turn.clock).filter(isMoment);
  if (THEN.test(message) && moments.length === 0 && turn.state.asked !== null) {
    const said = datesIn(turn.state.asked, turn.clock).filter(isMoment);
    if (said.length > 0) return message.replace(THEN, said.map(({ text }) => text).join(" "));
  }
  if (!SAME_TIME.test(message) || moments.some(({ type }) => /time/.test(type))) return message;
  const found = meant(turn, { which: "one", kind: "event" }, ["event"]);
  const record = found && "records" in found ? found.records[0] : undefined;
  if (!record || !/\b(?:schedule|book|add|create|set up|plan|another)\b/i.test(message)) return message;
  const { start } = await getEvent(turn.ctx, record.id, record.occurrence ? new Date(record.occurrence) : undefined);
  const clock = new Date(toWall(turn.timeZone, Date.parse(start))).toISOString().slice(11, 16);
  const named = message.replace(/\banother one\b/i, record.title.replace(/ with .*/i, ""));
  return named.replace(SAME_TIME, `at ${clock}`);
}

const BOOKS = new RegExp(
  `^(?:(?:ok(?:ay)?|great|please|then|and|so)[\\s,]+)*(?:book|take|schedule|use|reserve|block|pick) ${REF}(?: (?:for|with) (?<what>.+))?$`,
  "i",
);

/** "book the first one for a call with Uma": one of the free times that were shown. */
export async function bookSlot(turn: Turn, message: string): Promise<Reply | null> {
  const groups = BOOKS.exec(message.replace(/[\s.!?]+$/, ""))?.groups;
  if (!groups) return null;
  const found = meant(turn, readReference(groups.ref ?? ""), ["slot"]);
  const start = found && "records" in found ? found.records[0]?.start : undefined;
  if (!start) return null;
  const wall = new Date(toWall(turn.timeZone, Date.parse(start))).toISOString();
  return addEvent(turn, `schedule ${groups.what ?? "a meeting"} on ${wall.slice(0, 10)} at ${wall.slice(11, 16)}`);
}

const WHICH =
  /^(?:and )?(?:which(?: ones?)?(?: are (?:they|those|these))?|what are they|show (?:me )?(?:them|those|these)|list them|who)[\s?.!]*$/i;

/** "which ones?" after a number. */
export async function showAgain(turn: Turn, message: string): Promise<Reply | null> {
  const [records = []] = turn.state.groups;
  if (!WHICH.test(message) || records.length === 0) return null;
  turn.shown = [...records];
  return { text: lines("These:", records, ({ title }) => shorten(title)) };
}
