import type { Clock } from "../../../../engine/notes/message-time.ts";
import { type Meant, meantRecord } from "./target-record.ts";

/** What a message says to an invitation. */
interface InvitationSlots extends Pick<Meant, "match" | "from" | "until"> {
  response: "accepted" | "declined" | "tentative";
  comment: string | null;
}

const LEAD = "(?:(?:tentatively|provisionally|maybe|please|just) )*";
/** A message that accepts or declines; the rest of it names the invitation. */
const RESPONDS = new RegExp(
  `^${LEAD}(?:accept|decline|reject|turn down|rsvp|(?:reply|respond|answer|say) (?:yes|no|maybe|tentatively))\\b`,
  "i",
);
/** Things that are accepted or declined, but are not in the calendar. */
const OTHERS = /\b(?:terms|cookies?|offer|calls? from|payment|proposal|changes?|friend request|challenge|task)\b/i;
const SAYS_WHY =
  /[,;]?\s{1,9}(?:and|but)\s{1,9}(?:say|write|add|mention|note|comment|tell (?:them|him|her|it|the organi[sz]er|\p{Lu}\p{L}{1,40}))(?:\s{1,9}that)?[:,]?\s{1,9}(.{1,200})$|[,;]?\s{1,9}(?:with (?:the|a) (?:comment|note|message)|saying)(?:\s{1,9}that)?[:,]?\s{1,9}(.{1,200})$/iu;
const NAMES_NOTHING =
  /\b(?:invitations?|invites?|requests?|(?:calendar )?meeting requests?|rsvp|yes|no|maybe|tentatively|provisionally|to|from|by|for|of|on|the|my|that|this|it|please|as|event)\b/gi;

/** Whether the message accepts or declines an invitation. */
export function respondsToInvitation(text: string): boolean {
  return RESPONDS.test(text) && !OTHERS.test(text.replace(SAYS_WHY, ""));
}

function responseIn(text: string): InvitationSlots["response"] {
  if (/\b(?:tentative(?:ly)?|provisionally|maybe)\b/i.test(text)) return "tentative";
  return /\b(?:decline|reject|turn down|no)\b/i.test(text) ? "declined" : "accepted";
}

export function invitationSlots(message: string, clock: Clock): InvitationSlots {
  const said = SAYS_WHY.exec(message);
  const comment = (said?.[1] ?? said?.[2])?.replace(/^["“]|(?<!["”.])["”.]+$/g, "").trim();
  const asked = said ? message.slice(0, said.index) : message;
  const { match, from, until } = meantRecord(asked.replace(VERB, ""), clock);
  const words = match.replace(NAMES_NOTHING, " ").replace(/\s+/g, " ").trim();
  return { match: words, from, until, response: responseIn(asked), comment: comment || null };
}

const VERB =
  /\b(?:tentatively |provisionally |maybe )?(?:accept|decline|reject|turn down|rsvp|(?:reply|respond|answer|say) (?:yes|no|maybe|tentatively)(?: to)?)\b/i;
