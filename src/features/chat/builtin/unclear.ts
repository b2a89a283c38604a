import type { Act } from "../reader/read.ts";
import { groupOf } from "../reader/sure.ts";
import { classesOf } from "../reader/word-classes.ts";
import { quotedIn, withoutStop, wordsOf } from "../request/exact.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { isQuestion } from "../request/vetoes.ts";
import { askAbout } from "./answers/about.ts";
import { describeRecord } from "./describe.ts";
import { recordsSaid } from "./find.ts";
import type { Answer, Scene } from "./plan.ts";
import { resolve } from "./resolve.ts";
import { shorten } from "./words/voice.ts";

/** What was understood of it: the record it names, or the likeliest readings. */
export async function unclear(scene: Scene, request: Request, isNothing = false): Promise<Answer> {
  const { sight, voice } = scene;
  const { say } = voice;
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
      return { text: isQuiet ? `${say.noted} ${say.found(line)}` : say.whatToChange(line), about: [only] };
    }
  }
  if (isQuiet) return { text: say.noted };
  const suggestions = isNothing || voice.language !== "en" ? [] : suggestionsFor(request);
  const part = shorten(request.text, 80);
  const text = sight.state.isLost ? say.notUnderstoodPart(part) : say.notUnderstood(request.kind);
  return { text, isLost: true, ...(suggestions.length > 0 && { suggestions }) };
}

/** How likely it has to be that nothing is wanted, to say so. */
const QUIET = 0.6;
const LONGEST_ORDER = 8;
const SPEAKERS = new Set(["i", "you", "they", "it", "wh", "aux", "not"]);

/** What this service cannot do; the person can be reminded of it. */
export function beyondReach({ voice: { say, language } }: Scene, { text }: Request): Answer {
  if (isQuestion(text)) return { text: say.cannotAnswer };
  const words = wordsOf(text);
  const isOrder = !classesOf(words[0] ?? "").some((each) => SPEAKERS.has(each)) && words.length <= LONGEST_ORDER;
  if (language !== "en" || !isOrder || words.length < 2) return { text: say.cannot };
  const reminder = `remind me to ${withoutStop(text)}`;
  return { text: `I cannot do that, but I can remind you if you say: “${reminder}”.`, suggestions: [reminder] };
}

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
