import { listNameIn } from "../../../../engine/notes/list-name.ts";
import { type Clock, datesIn, isMoment } from "../../../../engine/notes/message-time.ts";
import { BARE_RANGE } from "../../../../engine/notes/slots.ts";
import type { Deed } from "../follow-ups/act.ts";
import { type Amendment, readAmendment } from "../follow-ups/amendment.ts";
import { readLooseChange } from "../follow-ups/loose-change.ts";
import type { ReadAct, Slot } from "./reader.ts";

export interface Filled {
  slot: Slot;
  text: string;
  start: number;
  end: number;
}

/** The words of all slots of one kind. */
export const filledBy = (slots: readonly Filled[], slot: Slot) =>
  slots.filter((each) => each.slot === slot).map(({ text }) => text);

/** What the message says about time, without what stands in names: "move the Friday review to 3pm" says "3pm". */
export function timeWords(message: string, slots: readonly Filled[], clock: Clock): string {
  const isNamed = ({ start, end }: { start: number; end: number }) =>
    slots.some((each) => start < each.end && end > each.start);
  return datesIn(message, clock)
    .filter((found) => isMoment(found) && !isNamed(found))
    .map(({ text }) => text)
    .join(" ");
}

const URGENT = /\b(?:urgent|urgently|asap|critical|immediately|emergency|right away)\b/i;
const LOW =
  /\b(?:low|lowest|lower|not (?:so |that |very )?(?:urgent|important|pressing)|no (?:rush|hurry)|can wait|whenever|isn't (?:urgent|important|that important)|unimportant|minor|less important)\b/i;
const NORMAL = /\b(?:normal|medium|regular|ordinary|standard|usual|average|middling)\b/i;
const HIGH = /\b(?:high|highest|higher|top|important|priority|matters|prioriti[sz]e|crucial|vital|essential|first)\b/i;

function levelIn(message: string): (Amendment & { kind: "priority" })["level"] | null {
  if (LOW.test(message)) return "low";
  if (NORMAL.test(message)) return "medium";
  if (URGENT.test(message)) return "urgent";
  return HIGH.test(message) ? "high" : null;
}

const SAME_KIND: Partial<Record<ReadAct, readonly Amendment["kind"][]>> = {
  move: ["time", "until"],
  later: ["shift"],
  earlier: ["shift"],
  length: ["length", "times"],
  longer: ["longer", "times"],
  shorter: ["longer", "times", "length"],
  until: ["until", "time"],
};

/** The place that the words name, without what stands before it. */
export const placeIn = (slots: readonly Filled[]) =>
  filledBy(slots, "p")[0]?.replace(/^(?:ones? )?(?:in|at|to) (?:the )?(?=\S)/i, "");

/** A title as it is stored. */
export const tidy = (title: string) =>
  title
    .replace(/^["“'](.+)["”']$/, "$1")
    .replace(/(?<![\s,.!?;:])[\s,.!?;:]+$/, "")
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** The change that a message wants, given what it was read as; null if it does not say what to change to. */
export function amendmentFor(act: ReadAct, message: string, slots: readonly Filled[], clock: Clock): Amendment | null {
  // What stands in quotation marks is the whole title.
  const title = /["“]([^"”]{2,200})["”]/.exec(message)?.[1] ?? filledBy(slots, "n")[0];
  const place = placeIn(slots);
  const people = filledBy(slots, "g");
  const level = levelIn(message);
  switch (act) {
    case "rename":
      // "Her name is Kathrin" is no new title.
      return title && !/\b(?:her|his|their) (?:\w+ )?name\b|\bspell?(?:ed|t)\b/i.test(message)
        ? { kind: "title", title: tidy(title.replace(/(?<![\s,])[\s,]+(?:instead|rather|please)$/i, "")) }
        : null;
    case "place":
      return place ? { kind: "place", place: tidy(place) } : null;
    case "invite":
      return people.length > 0 ? { kind: "invite", people } : null;
    case "uninvite":
      return people.length > 0 ? { kind: "uninvite", people } : null;
    case "priority":
      return level ? { kind: "priority", level } : null;
    case "undate":
      return { kind: "undated" };
    case "to_list": {
      const list = filledBy(slots, "l")[0] ?? listNameIn(message);
      return list ? { kind: "list", list } : null;
    }
    case "no_repeat":
      return { kind: "repeat", rrule: null };
    case "repeat":
      return repetition(message, clock);
    default:
      return timing(act, message, slots, clock);
  }
}

function repetition(message: string, clock: Clock): Amendment | null {
  const [often] = datesIn(message, clock).filter(({ type }) => type === "set");
  const words =
    often?.text ?? /\b(?:every|each) [a-z]+(?: [a-z]+)?\b|\b(?:weekly|daily|monthly|yearly)\b/i.exec(message)?.[0];
  const amendment = words ? readAmendment(words, clock, true)?.amendment : undefined;
  return amendment?.kind === "repeat" ? amendment : null;
}

function timing(act: ReadAct, message: string, slots: readonly Filled[], clock: Clock): Amendment | null {
  const kinds = SAME_KIND[act];
  if (!kinds) return null;
  const said = timeWords(message, slots, clock);
  const range = BARE_RANGE.exec(message);
  const loose = readLooseChange(withoutSlots(message, slots), clock);
  // "Wednesday's at least quiet": other words, none of them for a change, and nothing named.
  const isOther = loose && loose.name !== "" && !loose.isChange && filledBy(slots, "t").length === 0;
  if (isOther && !REFERS.test(message)) return null;
  if (isOther && LENGTHS.has(act)) return null;
  const readings = [
    // "it's been moved to 3 till 5" says when it begins, too.
    range ? readAmendment(`make it from ${range[1]} to ${range[2]}`, clock, true)?.amendment : undefined,
    act === "until" && said
      ? readAmendment(`until ${said.replace(/^(?:until|till|to) /i, "")}`, clock, true)?.amendment
      : undefined,
    loose?.amendment,
    said ? readAmendment(`make it ${said}`, clock, true)?.amendment : undefined,
  ];
  return readings.find((each) => each && kinds.includes(each.kind)) ?? null;
}

const REFERS = /\b(?:it|that|this|them|those|these|both|one)\b/i;
const LENGTHS: ReadonlySet<ReadAct> = new Set<ReadAct>(["length", "longer", "shorter"]);

/** The message with "it" for what it names. */
function withoutSlots(message: string, slots: readonly Filled[]): string {
  let text = message;
  for (const { slot, start, end } of [...slots].sort((a, b) => b.start - a.start)) {
    if (slot === "t") text = `${text.slice(0, start)}it${text.slice(end)}`;
  }
  return text.replace(/\b(?:the|my|our|that|this) it\b/gi, "it");
}

const FLAGS: Partial<Record<ReadAct, Deed>> = {
  star: { kind: "flag", changes: { isStarred: true } },
  unstar: { kind: "flag", changes: { isStarred: false } },
  archive: { kind: "flag", changes: { status: "archived" } },
  inbox: { kind: "flag", changes: { status: "inbox" } },
  mark_read: { kind: "flag", changes: { isRead: true } },
  mark_unread: { kind: "flag", changes: { isRead: false } },
  done: { kind: "complete" },
  reopen: { kind: "reopen" },
  remove: { kind: "remove" },
  read: { kind: "read" },
  summarise: { kind: "summarise" },
  send: { kind: "send" },
  make_tasks: { kind: "tasks" },
  unsubscribe: { kind: "unsubscribe" },
  ask_about: { kind: "tell" },
};

/** What is to be done with a record; null if the message does not say it, or wants something else. */
export function deedFor(act: ReadAct, message: string, slots: readonly Filled[], clock: Clock): Deed | null {
  const [tag] = filledBy(slots, "tag");
  const [text = ""] = filledBy(slots, "m");
  const [to] = filledBy(slots, "g");
  const until = timeWords(message, slots, clock);
  switch (act) {
    case "tag":
      return tag ? { kind: "tag", tag } : null;
    case "untag":
      return { kind: "untag", tag: tag ?? "" };
    case "snooze":
      return until ? { kind: "snooze", until } : null;
    case "reply":
      return text ? { kind: "reply", to: "", text } : null;
    case "forward":
      return to ? { kind: "forward", to, text } : null;
    default:
      return FLAGS[act] ?? null;
  }
}
