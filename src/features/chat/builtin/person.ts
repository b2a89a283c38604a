import { datesIn } from "../../../engine/notes/message-time.ts";
import { getEmail } from "../../emails/service.ts";
import type { Turn } from "../../tools/turn.ts";

/** Where a person is named in a request: "a call with him", "invite her", "remind me to ring them". */
const PRONOUN =
  /\b(?<before>with|invite|meet|see|call|ring|phone|visit|and|for) (?:him|her|them)\b(?! (?:mail|e-?mail|message|birthday))/i;
/** These are about an email of that person, whose readers know whom it is from. */
const ABOUT_EMAIL = /\b(?:reply|respond|answer|write back|forward|tell|let (?:him|her|them))\b/i;
/** Nobody's email was read yet, but a person was named. */
const THEIR_EMAIL = /\b(?:his|her|their) ((?:last |latest )?(?:e-?mail|mail|message))\b/i;
const NAME = /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?$/u;
const IN_TITLE =
  /\b(?:[Ww]ith|[Mm]eet|[Cc]all|[Ee]mail|[Rr]ing|[Pp]hone|[Vv]isit|[Ii]nvite|[Cc]hase|[Tt]ext|[Aa]sk|[Tt]ell|[Tt]hank|[Nn]ag|[Pp]ay|[Ff]or|[Ss]ee) (\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)/u;
const GROUPS_BACK = 3;
const ASKED_ABOUT = /(?<!^)\b(\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?)/u;

/** The message with "him", "her" or "them" replaced by the person that the conversation is about. */
export async function withMeantPerson(turn: Turn, message: string): Promise<string> {
  const theirs = THEIR_EMAIL.exec(message);
  if (theirs && !turn.state.groups.some((group) => group.some(({ kind }) => kind === "email"))) {
    const owner = await meantPerson(turn);
    return owner && NAME.test(owner) ? message.replace(theirs[0], `${owner}'s ${theirs[1]}`) : message;
  }
  if (!PRONOUN.test(message) || ABOUT_EMAIL.test(message)) return message;
  const name = await meantPerson(turn);
  // A name that reads as a time could change more than the name.
  if (!name || !NAME.test(name) || datesIn(name, turn.clock).length > 0) return message;
  return message.replace(PRONOUN, (_, before: string) => `${before} ${name}`);
}

/** Whom the latest record names, or else the one before it. */
async function meantPerson({ ctx, state }: Turn): Promise<string | null> {
  const asked = ASKED_ABOUT.exec(state.asked ?? "")?.[1];
  const [first = []] = state.groups;
  if (first.length > 1) return asked ?? null;
  for (const [record, ...others] of state.groups.slice(0, GROUPS_BACK)) {
    if (!record || others.length > 0) break;
    if (record.kind === "email") return (await getEmail(ctx, record.id)).from.name || null;
    const named = IN_TITLE.exec(record.title)?.[1];
    if (named) return named;
  }
  return asked ?? null;
}
