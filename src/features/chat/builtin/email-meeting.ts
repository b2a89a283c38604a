import { detectIn } from "../../../engine/email/intelligence.ts";
import { datesIn } from "../../../engine/notes/message-time.ts";
import { toEngineInput } from "../../emails/record.ts";
import { getEmail } from "../../emails/service.ts";
import { readingFor } from "../../people/reading.ts";
import type { Turn } from "../../tools/turn.ts";
import { type Reply, replyFor, shorten } from "./reply-text.ts";

const INTO_CALENDAR =
  /^(?:(?:and|then|please|also|can you|could you)[\s,]+)*(?:put|add|enter|save|note|get|pop|write|block|stick|chuck|bung|slot) (?:it|that|this|(?:the|this|that) [\p{L}-]+)(?: down)? (?:in|to|into|on|onto) (?:my |the )?(?:calendar|diary|schedule|agenda)[\s.!]*$|^(?:please )?(?:schedule|book) (?:it|that|this)[\s.!]*$/iu;

/** The meeting that the email is about which was just shown; null if there is none. */
async function meetingOf(turn: Turn) {
  const email = turn.state.groups
    .slice(0, 3)
    .find((group) => group.length === 1 && group[0]?.kind === "email")
    ?.at(0);
  if (!email) return null;
  const stored = await getEmail(turn.ctx, email.id);
  const { meetings } = detectIn(toEngineInput(stored, readingFor(turn.ctx, turn.timeZone)));
  const [best] = [...meetings].sort((one, other) => other.confidence - one.confidence);
  return best ?? onlyTimeIn(turn, stored);
}

/** "The play is on Tuesday 8 December at 2pm": the one time ahead that an email names, under its subject. */
function onlyTimeIn({ clock, ctx }: Turn, { subject, body }: { subject: string; body: string }) {
  const times = datesIn(body, clock).filter(({ from, type }) => from && from > ctx.now && /^datetime/.test(type));
  const [only, ...others] = times;
  if (!only?.from || others.length > 0) return null;
  return { title: subject.replace(/^(?:re|fwd?): /i, ""), start: only.from, end: only.to, location: null };
}

/** "put it in my calendar", about an email: proposed, because the text of the email has been read. */
export async function addToCalendar(turn: Turn, message: string): Promise<Reply | null> {
  if (!INTO_CALENDAR.test(message)) return null;
  const found = await meetingOf(turn);
  if (!found) return null;
  const { title, start, end, location } = found;
  turn.hasReadUntrusted = true;
  const outcome = await turn.call("create_event", {
    title: shorten(title, 300) || "Meeting",
    start: start.toISOString(),
    ...(end && { end: end.toISOString() }),
    ...(location && { location: shorten(location, 300) }),
  });
  if (outcome.status !== "proposed") return replyFor(outcome, () => "");
  return { text: `I read this in the email: ${outcome.proposal.summary}. Should I add it? Say yes or no.` };
}

/** When the email that was just shown proposes to meet. */
export async function timeInEmail(turn: Turn): Promise<Date | null> {
  const [latest = []] = turn.state.groups;
  const kind = latest[0]?.kind;
  if (latest.length !== 1 || (kind !== "email" && kind !== "draft")) return null;
  return (await meetingOf(turn))?.start ?? null;
}
