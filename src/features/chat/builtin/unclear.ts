import { taskSlots } from "../../../engine/notes/slots.ts";
import { shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Act } from "../reader/read.ts";
import { groupOf } from "../reader/sure.ts";
import { classesOf } from "../reader/word-classes.ts";
import { contentOf } from "../request/content.ts";
import { quotedIn, withoutStop, wordsOf } from "../request/exact.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { isQuestion } from "../request/vetoes.ts";
import { dueInput } from "./acts/add.ts";
import { isTitle, tidy } from "./acts/titles.ts";
import { askAbout } from "./answers/about.ts";
import { describeRecord } from "./describe.ts";
import { recordsSaid, unread } from "./find.ts";
import { askToConfirm } from "./perform.ts";
import type { Answer, Asking, Scene } from "./plan.ts";
import { resolve } from "./resolve.ts";
import { shorten } from "./words/voice.ts";

/** What was understood of it: the record it names, or the likeliest readings. */
export async function unclear(scene: Scene, request: Request, isNothing = false): Promise<Answer> {
  const { sight, voice } = scene;
  const { say } = voice;
  const part = partOf(request);
  const isQuiet = request.act === "quiet" && request.share >= QUIET && !isNothing;
  if (request.names.length > 0 || (!isQuiet && !isNothing)) {
    const kinds = ["event", "task", "email"] as const;
    const target =
      request.names.length > 0
        ? await resolve(sight, request, { kinds })
        : await recordsSaid(sight, request.text, kinds);
    const [only, ...others] = "records" in target ? target.records : [];
    // "What does Frank want?" asks about what it names.
    if (only && others.length === 0 && isQuestion(request.text)) return askAbout(scene, { ...request, about: only });
    if (only && others.length === 0) {
      const line = await describeRecord(scene, only);
      const isOther = (word: string) => shareOf(word, [only.title]) === 0;
      const isMore = wordsOf(contentOf(request.text)).some(isOther) || request.times.length > 0;
      const found = isMore ? `${say.found(line)} ${say.notUnderstood(part)}` : say.whatToChange(line);
      return { text: isQuiet ? `${say.noted} ${say.found(line)}` : found, about: [only] };
    }
  }
  if (isQuiet) return { text: say.noted };
  const isTold = request.act === "quiet" || request.act === "talk";
  const isRemark = isTold && !isNothing && request.kind === null && !isQuestion(request.text);
  if (isRemark) return { text: say.remark(part) };
  const suggestions = isNothing || voice.language !== "en" ? [] : suggestionsFor(request);
  const text = sight.state.isLost ? say.notUnderstood(part) : `${say.notUnderstood(part)} ${say.nearest(request.kind)}`;
  return { text, isLost: true, ...(suggestions.length > 0 && { suggestions }) };
}

const partOf = ({ text }: Request) => shorten(withoutStop(text), 80);

/** Adds the words of the message to a reply that did not understand it, or that asks for what it may have said. */
export function inItsWords<Said extends Answer | Asking>({ sight, voice }: Scene, request: Request, said: Said): Said {
  const isAsking = "question" in said && said.question?.kind === "what" && contentOf(request.rest) !== "";
  const text = said.text.toLowerCase();
  const isSaid = tellingWords(request.text).some((word) => text.includes(word));
  // A caller that may not read everything gets another reply.
  const isRefused = unread(sight, ["task", "event", "email"]) !== null;
  if (isSaid || isRefused || !(said.isLost || isAsking)) return said;
  return { ...said, text: `${voice.say.notUnderstood(partOf(request))} ${said.text}` };
}

/** How likely it has to be that nothing is wanted, to say so. */
const QUIET = 0.6;
const LONGEST_ORDER = 18;
const SPEAKERS = new Set(["i", "you", "they", "it", "wh", "aux", "not"]);

/** What this service cannot do. The person can be reminded of it, unless a task for it is there. */
export async function beyondReach(scene: Scene, request: Request): Promise<Answer | Asking> {
  const { sight, voice } = scene;
  const { say } = voice;
  if (isQuestion(request.text)) return { text: say.cannotAnswer };
  const { records } = await recordsSaid(sight, request.text, ["task"]);
  const [known, ...others] = records;
  if (known && others.length === 0)
    return { text: `${say.cannot} ${say.found(await describeRecord(scene, known))}`, about: [known] };
  // "Book me a van" is for the person to book.
  const order = withoutStop(request.text.replace(ASKED, "").replace(/^(\p{L}+) me (?=an?\b|some\b|the\b)/iu, "$1 "));
  const words = wordsOf(order);
  const isOrder = !classesOf(words[0] ?? "").some((each) => SPEAKERS.has(each)) && words.length <= LONGEST_ORDER;
  const { title, due, doubt } = taskSlots(order, sight.clock);
  if (!isOrder || words.length < 2 || doubt || !isTitle(tidy(title))) return { text: say.cannot };
  const input = { title: tidy(title), ...(due && due > sight.ctx.now && dueInput(sight, due)) };
  const asking = askToConfirm(voice, [{ tool: "create_task", input, label: input.title }], [], say.cannot);
  return voice.language === "en" ? { ...asking, suggestions: [`remind me to ${order}`] } : asking;
}

const ASKED = /^.{0,30}?\b(?:can|could|would|will) you (?:please |just )?/i;

/** Messages that say what the likeliest readings would do. */
function suggestionsFor(request: Request): string[] {
  const name = slotsOf(request, "n")[0] ?? request.names[0] ?? quotedIn(request.text);
  const acts = [request, ...request.others].filter(({ act }) => groupOf(act) !== null).slice(0, 2);
  return acts.flatMap(({ act }) => {
    const form = FORMS[act];
    return form && name ? [form(name)] : [];
  });
}

const FORMS: Partial<Record<Act, (name: string) => string>> = {
  add_task: (name) => `Remind me to ${name}`,
  add_event: (name) => `Add ${name} to my calendar`,
  move: (name) => `Move ${name}`,
  done: (name) => `Mark ${name} as done`,
  remove: (name) => `Cancel ${name}`,
  archive: (name) => `Archive the email ${name}`,
  reply: (name) => `Reply to ${name}`,
};
