import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { assertType } from "../../../../lib/cast.ts";
import type { WritingTool } from "../../../../lib/chat-tools.ts";
import { wordSet } from "../../../../lib/words.ts";
import { bestMatches, shareOf, tellingWords } from "../../../tools/language/name-match.ts";
import { wordsOf } from "../../request/exact.ts";
import { referred } from "../../request/reference.ts";
import type { Request } from "../../request/request.ts";
import { askAbout } from "../answers/about.ts";
import { distinct, lastChange, onlyOf, type Planned, refOf, type Scene } from "../plan.ts";
import { resolve } from "../resolve.ts";

const DENIES = wordSet(
  "no not nope nah wrong meant mean instead rather sorry oops nein nicht falsch meinte non pas plutôt sino quise",
);
const COUNTS: Record<string, number> = { both: 2, two: 2, three: 3, four: 4 };

/** Takes back the last change, the last few, or the last change of what is named. */
export async function undo({ sight, voice }: Scene, request: Request): Promise<Planned> {
  const words = wordsOf(request.rest);
  const record = request.about ?? recordNamed(sight.state.groups, request);
  // What is named was not talked about: nothing else is taken back instead.
  if (!record && request.names.length > 0) return { text: voice.say.notFound(request.names.join(", ")), isLost: true };
  const count = words.map((word) => COUNTS[word]).find((each) => each !== undefined);
  const isAll = words.includes("everything") || words.includes("alles");
  const input = record
    ? { record: { kind: record.kind, ...refOf(record) } }
    : isAll
      ? { all: true }
      : count
        ? { steps: count }
        : {};
  // What was undone comes back by doing it again.
  const isRestored = sight.state.isUndone && words.includes("back") && !record;
  return {
    calls: [{ tool: "undo", input: isRestored ? { redo: true } : input, label: record?.title ?? "" }],
  };
}

export const redo = async (): Promise<Planned> => ({ calls: [{ tool: "undo", input: { redo: true }, label: "" }] });

/** What the conversation was about, by its name or its place in the last list. */
export function recordNamed(groups: readonly ChatRecord[][], request: Request): ChatRecord | undefined {
  const { names, reference, text } = request;
  const known = distinct(groups.flat()).filter(({ kind }) => kind !== "slot");
  const [name] = names;
  if (name && tellingWords(name).length > 0) {
    return onlyOf(bestMatches(name, known, ({ title }) => [title]));
  }
  const list = groups.find((group) => group.length > 1);
  const isPlace = reference && typeof reference.which === "object";
  if (isPlace) return list ? referred(reference, list)?.[0] : undefined;
  return onlyOf(known.filter(({ title }) => shareOf(title, [text]) >= HALF));
}

const HALF = 0.5;

/** "No, the other one": the last change is taken back, and made to the record that was meant. */
export async function instead(scene: Scene, request: Request): Promise<Planned> {
  const { sight, voice } = scene;
  // "And the other one" wants the same for it as well.
  if (!wordsOf(request.rest).some((word) => DENIES.has(word))) return again(scene, request);
  const { isWritten, groups } = sight.state;
  const act = lastChange(sight.state);
  const before = onlyOf(groups[0] ?? []);
  if (!act || !isWritten || !before) return { text: voice.say.unclear, isLost: true };
  const target = await resolve(sight, request, { kinds: [before.kind], times: request.times });
  const meant = "records" in target ? onlyOf(target.records) : undefined;
  if (!meant) {
    const name = "missing" in target ? target.missing : "";
    return { text: name ? voice.say.notFound(name) : voice.say.unclear, isLost: true };
  }
  return {
    calls: [
      { tool: assertType<WritingTool>(act.tool), input: { ...act.input, ...refOf(meant) }, label: meant.title },
      { tool: "undo", input: { record: { kind: before.kind, ...refOf(before) } }, label: before.title },
    ],
  };
}

/** "The second one too": the last change, once more. */
export async function again(scene: Scene, request: Request): Promise<Planned> {
  const { groups } = scene.sight.state;
  const act = lastChange(scene.sight.state);
  // One of a list, when nothing was done yet: it is shown.
  if (!act) return askAbout(scene, request);
  const kinds = groups[0]?.[0] ? [groups[0][0].kind] : [];
  const target = await resolve(scene.sight, request, { kinds, times: request.times });
  const meant = "records" in target ? onlyOf(target.records) : undefined;
  if (!meant) return { text: scene.voice.say.unclear, isLost: true };
  return {
    calls: [{ tool: assertType<WritingTool>(act.tool), input: { ...act.input, ...refOf(meant) }, label: meant.title }],
  };
}
