import { newTitles } from "../../../src/features/chat/builtin/acts/titles.ts";
import type { Wish } from "../../../src/features/chat/reader/model.ts";
import { levelIn } from "../../../src/features/chat/request/filters.ts";
import { type Request, requestOf, slotsOf } from "../../../src/features/chat/request/request.ts";
import { bareTime, minutesIn, momentOf, ruleIn } from "../../../src/features/chat/request/times.ts";
import { vetoOf } from "../../../src/features/chat/request/vetoes.ts";
import { CLOCK, type Labelled } from "./labelled.ts";

const hasMoment = (request: Request) => momentOf([...request.times, ...bareTime(request.rest, CLOCK)], CLOCK) !== null;

/** What a request needs to say before anything can be changed; without it, the assistant asks. */
const NEEDS: Partial<Record<Wish["act"], (request: Request) => boolean>> = {
  add_task: (request) => newTitles(request).length > 0,
  add_event: (request) => newTitles(request).length > 0 && hasMoment(request),
  move: hasMoment,
  until: hasMoment,
  later: ({ times }) => times.length > 0,
  earlier: ({ times }) => times.length > 0,
  length: ({ times }) => minutesIn(times) !== null,
  longer: ({ times }) => times.length > 0,
  shorter: ({ times }) => times.length > 0,
  rename: (request) => newTitles(request).length > 0,
  place: (request) => slotsOf(request, "p").length > 0,
  invite: (request) => slotsOf(request, "g").length > 0,
  uninvite: (request) => slotsOf(request, "g").length > 0,
  priority: ({ text }) => levelIn(text) !== null,
  to_list: (request) => slotsOf(request, "l").length > 0,
  repeat: ({ times }) => ruleIn(times) !== null,
  note: (request) => slotsOf(request, "n").length > 0,
  remind: ({ times }) => times.length > 0,
  snooze: ({ times }) => times.length > 0,
  tag: (request) => slotsOf(request, "tag").length > 0,
  reply: (request) => slotsOf(request, "m").length > 0,
  forward: (request) => slotsOf(request, "g").length > 0,
  write: (request) => slotsOf(request, "m").length > 0 && slotsOf(request, "g").length > 0,
};
const NEW: ReadonlySet<Wish["act"]> = new Set<Wish["act"]>(["add_task", "add_event", "write"]);

/** Whether a wish that is sure would change something: nothing forbids it, and it says all that is needed. */
export function wouldWrite({ text, context }: Labelled, wish: Wish): boolean {
  const conversation = { clock: CLOCK, isAsked: false, isWritten: false, fits: () => true };
  const request = requestOf(text, wish, conversation);
  if (vetoOf(request.text) !== null || request.act !== wish.act) return false;
  const hasTarget = NEW.has(wish.act) || request.names.length > 0 || slotsOf(request, "g").length > 0 || context !== "";
  return hasTarget && (NEEDS[wish.act]?.(request) ?? true);
}
