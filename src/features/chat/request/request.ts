import type { FoundDate } from "../../../engine/dates/find-dates.ts";
import type { Clock } from "../../../engine/notes/message-time.ts";
import type { Act, Filled, Slot, Wish } from "../reader/read.ts";
import { exactly, quotedIn, remindsOfNew } from "./exact.ts";
import { type Kind, kindIn, type Reference, referenceIn } from "./reference.ts";
import { type Part, timesIn } from "./times.ts";

/** One wish of a message: what is wanted, of what, with which words and times. */
export interface Request {
  act: Act;
  /** How likely the act is, and that it wants a change now. */
  share: number;
  change: number;
  /** The next likely acts. */
  others: Wish["others"];
  /** The words of this wish. */
  text: string;
  /** Names of existing records. */
  names: string[];
  /** "it", "both", "the second one": what the last reply was about. */
  reference: Reference | null;
  /** The kind of record that a noun names. */
  kind: Kind | null;
  slots: readonly Filled[];
  /** Phrases about time outside of names. */
  times: readonly FoundDate[];
  /** The words that are neither name nor time. */
  rest: string;
  message: string;
}

export const slotsOf = ({ slots }: Pick<Request, "slots">, slot: Slot): string[] =>
  slots.filter((each) => each.slot === slot).map(({ text }) => text);

/** What a wish asks for. A few exact forms are known better than the reader can. */
export function requestOf(message: string, wish: Wish, clock: Clock): Request {
  const text = message.slice(wish.start, wish.end).trim();
  const exact = exactly(text);
  const isNew = remindsOfNew(text) && wish.act !== "remind";
  const act = exact ?? (isNew ? "add_task" : wish.act);
  const isExact = act !== wish.act || exact !== null || isNew;
  const slots = act === wish.act ? wish.slots : wish.slotsFor(act);
  const times = timesIn(message, wish, slots, clock);
  const rest = without(message, wish, [...slots, ...times]);
  const quoted = quotedIn(text);
  const names = slots.filter(({ slot }) => slot === "t").map((slot) => slot.text);
  const isQuotedName = quoted !== null && names.length === 0 && !slots.some(({ slot }) => slot === "n" || slot === "m");
  return {
    act,
    share: isExact ? 1 : wish.share,
    change: isExact ? 1 : wish.change,
    others: isExact ? [] : wish.others,
    text,
    names: isQuotedName && quoted ? [quoted] : names,
    reference: referenceIn(rest),
    kind: kindIn(rest),
    slots,
    times,
    rest,
    message,
  };
}

/** The words of a part that none of these have taken. */
function without(message: string, { start, end }: Part, taken: readonly Part[]): string {
  let text = "";
  let at = start;
  for (const each of [...taken].sort((a, b) => a.start - b.start)) {
    text += ` ${message.slice(at, Math.max(at, each.start))}`;
    at = Math.max(at, each.end);
  }
  return `${text} ${message.slice(at, Math.max(at, end))}`.replace(/\s+/g, " ").trim();
}
