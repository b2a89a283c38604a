import type { Turn } from "../../tools/turn.ts";
import { errandOf } from "../language/errands/errand.ts";
import { toldEvent } from "../language/errands/told-event.ts";
import { readAmendment } from "../language/follow-ups/amendment.ts";
import { plainRequest } from "../language/wording/paraphrase.ts";
import { amend, amendRecords, kindsFor } from "./amend.ts";
import { doDeed } from "./deeds.ts";
import { recordsMentioned } from "./find-named.ts";
import type { Reply } from "./reply-text.ts";
import { takeBack } from "./undo.ts";

const SECOND_THOUGHT =
  /^(?:(?:actually|no+|nope|wait|hm+|oh|ah|sorry|hang on|hold on|ok(?:ay)?|ugh|argh|oops|well|but|on second thoughts?)\b[\s,.!–-]*)+/i;
const REASON =
  /^(?:(?:because|since|cos|as) )?(?:i|he|she|they|we|it|that|you|there|my|the|his|her|our|their|everyone|everybody|somebody|someone|nobody|\p{L}+)(?:'\p{L}+)? /iu;

/** "undo that, he should be there": why it is taken back does not matter. */
export async function takeBackFirst(turn: Turn, text: string): Promise<Reply | null> {
  const [first = "", ...rest] = text.replace(SECOND_THOUGHT, "").split(/[,;.!–]\s+/);
  const reason = rest.join(", ");
  const isReason = reason === "" || REASON.test(reason);
  return isReason && errandOf(reason) === "unknown" && /undo|revert|back|restore|reinstate/i.test(first)
    ? takeBack(turn, first)
    : null;
}

const CLAUSES = /(?<!\s)\s*[,;.–]\s+(?:(?:so|and|but|then|please|just)\s+)*/;
/** A clause that asks for nothing by itself. */
const TOLD =
  /^(?:(?:hm+|oh|no|ok|okay|well|so|but|and|right|sorry)[\s,]+)*(?:i|we|he|she|they|it|that|this|there|the|my|our)(?:'\w+)? |^(?:hm+|no|ok|okay|oh|well|right|sorry|thanks|fine|good|great)\b/i;
const IN_THE_AIR =
  /\b(?:if|unless|whether|should|don't|do not|not sure|maybe|might|would|didn't|never|said|says|told)\b|\?/i;

/** "The banner takes until Monday, better Wednesday": what is told names what is changed. */
async function otherMentioned(turn: Turn, clauses: readonly string[], clause: string): Promise<Reply | null> {
  const amendment = readAmendment(clause, turn.clock, true)?.amendment;
  const told = clauses.filter((each) => plainRequest(each) !== clause).join(" ");
  if (amendment?.kind !== "time" && amendment?.kind !== "shift" && amendment?.kind !== "priority") return null;
  const [only, ...others] = await recordsMentioned(turn, told, kindsFor(amendment));
  return only && others.length === 0 ? amendRecords(turn, amendment, [only], false) : null;
}

/** "hmm no, i do want it, put it back in": what is told around a change does not hide it. */
export async function doOneClause(turn: Turn, part: string): Promise<Reply | null> {
  const clauses = part.split(CLAUSES);
  if (clauses.length < 2 || clauses.length > 4 || IN_THE_AIR.test(part) || toldEvent(part, turn.clock)) return null;
  const isTold = (clause: string) => TOLD.test(clause) || clause.split(" ").length < 2;
  for (const clause of [...clauses].reverse().map(plainRequest)) {
    if (!clauses.every((each) => plainRequest(each) === clause || isTold(each))) continue;
    const about = await otherMentioned(turn, clauses, clause);
    if (about) return about;
    const done = (await takeBack(turn, clause)) ?? (await doDeed(turn, clause)) ?? (await amend(turn, clause));
    if (done) return done;
  }
  return null;
}
