import { wordSet } from "../../../lib/words.ts";
import { shareOf } from "../../tools/language/name-match.ts";
import type { Act } from "../reader/read.ts";
import { groupOf } from "../reader/sure.ts";
import { setsRight } from "../request/corrections.ts";
import { EITHER, type Kind } from "../request/reference.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { isQuestion } from "../request/vetoes.ts";
import { recordsNamed } from "./find.ts";
import { lastChange, type Sight } from "./plan.ts";
import { resolve } from "./resolve.ts";

const OF_TASKS = wordSet("done priority undate to_list");
const OF_EVENTS = wordSet("place invite uninvite accept decline maybe");
const OF_EITHER = wordSet("move later earlier length longer shorter until rename repeat no_repeat remind note");
const OF_EMAILS = wordSet(
  "star unstar archive inbox mark_read mark_unread tag untag snooze reply forward unsubscribe make_tasks read summarise",
);

/** The kinds of record that an act can be about; empty if it needs none. */
function kindsOf(act: Act): readonly Kind[] {
  if (OF_TASKS.has(act)) return ["task"];
  if (OF_EVENTS.has(act)) return ["event"];
  if (OF_EITHER.has(act)) return EITHER;
  if (OF_EMAILS.has(act)) return ["email"];
  return act === "remove" || act === "ask_about" ? ["event", "task", "email"] : [];
}

const SURE = 0.9;
const WORTH_A_LOOK = 0.08;

/**
 * The likeliest reading, given what is stored: an act on a record that exists, by its name, is likelier than one on a
 * record that does not, and nobody adds what is there already. A reading that wants nothing is left alone.
 */
export async function grounded(sight: Sight, request: Request): Promise<Request> {
  const isQuiet = request.act === "quiet" && !isQuestion(request.text);
  const isLeft = request.share >= SURE || isQuiet || request.act === "talk";
  if (isLeft) return request;
  const readings = [
    request,
    ...request.others
      .filter(({ share }) => share >= WORTH_A_LOOK)
      .map((other) => ({ ...request.as(other.act), share: other.share })),
  ];
  let best = request;
  let most = 0;
  let total = 0;
  for (const reading of readings) {
    const weight = reading.share * (await fitness(sight, reading));
    total += weight;
    if (weight > most) [best, most] = [reading, weight];
  }
  const rest = 1 - readings.reduce((sum, { share }) => sum + share, 0);
  return { ...best, share: most / Math.max(0.01, total + Math.max(0, rest)) };
}

const WHOLE = 0.95;

async function fitness(sight: Sight, reading: Request): Promise<number> {
  // A question that hardly wants a change is answered.
  if (groupOf(reading.act) !== null && reading.change < 0.5 && isQuestion(reading.text)) return 0.1;
  if (reading.act === "add_task" || reading.act === "add_event") {
    const [title] = slotsOf(reading, "n");
    if (!title) return 0.5;
    const found = await recordsNamed(sight, { words: title, kinds: EITHER });
    return found.some((record) => shareOf(title, [record.title]) >= WHOLE && shareOf(record.title, [title]) >= WHOLE)
      ? 0.3
      : 1;
  }
  // "No wait, the workshop": a name that corrects what was just done.
  if (reading.act === "other") return setsRight(reading.text) && reading.names.length > 0 ? 3 : 1;
  // A question wants an answer.
  if (reading.act === "quiet" && isQuestion(reading.text)) return 0.3;
  const kinds = kindsOf(reading.act);
  if (kinds.length === 0) return 1;
  // "Mark all of them as done", after tasks, is not about emails.
  const [latest = []] = sight.state.groups;
  const isOfOther = latest.length > 0 && !latest.some(({ kind }) => kinds.includes(kind));
  if (isOfOther && reading.reference !== null && reading.names.length === 0) return 0.05;
  if (reading.act === "rename" && slotsOf(reading, "n").length === 0) return 0.2;
  if (isTimeAct(reading.act) && isNewThing(reading)) return 0.05;
  const target = await resolve(sight, reading, { kinds });
  // "And pixel's to Friday", after a move.
  const isSameAgain = GOES_ON.test(reading.text) && isLike(lastChange(sight.state)?.tool, reading.act);
  if ("records" in target && isSameAgain) return 4;
  if ("records" in target) return reading.names.length > 0 && !target.isGuess ? 2 : 1;
  return "options" in target ? 1.3 : 0.3;
}

const isTimeAct = (act: Act) => TIME_ACTS.has(act);
const MOVES = wordSet("move later earlier");
const TIME_ACTS = wordSet("move later earlier length longer shorter until");
const GOES_ON = /^(?:and|also|then|und|auch|et|aussi|y|también)\b/i;
const NEW_THING =
  /\b(?:an?|some|ein|eine|einen|une?|una)\s+(?!(?:bit|little|while|few|lot|moment|tad|touch|different|other|better|later|earlier)\b)\p{L}{3,}/iu;

/** "Put a day off on the 30th" speaks of something that is not there yet. */
const isNewThing = ({ names, reference, rest }: Request) =>
  names.length === 0 && reference === null && NEW_THING.test(rest);

const isLike = (tool: string | undefined, act: Act) =>
  (tool === "move_event" && MOVES.has(act)) ||
  (tool === "cancel_event" && act === "remove") ||
  (tool === "complete_task" && act === "done");
