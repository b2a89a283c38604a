import { listNameIn } from "../../../engine/notes/list-name.ts";
import { listsInUse } from "../../tasks/lists/service.ts";
import { tasksByIds } from "../../tasks/service.ts";
import { tellingWords } from "../../tools/language/name-match.ts";
import { wordsOf } from "../request/exact.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { mayRead } from "./find.ts";
import type { Sight } from "./plan.ts";

/*
 * Lists and tags. Those that exist are found by their names in the message; a new one has to be called a list or a tag.
 */

const capital = (name: string) => name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** The list that the message says, whether or not it exists: "the shopping list" is Shopping. */
export function listSaid(request: Request): string | null {
  const said = slotsOf(request, "l")[0]
    ?.replace(/\s+list$/i, "")
    .replace(/^(?:my|the|our|meine|ma|mi)(?:\s+|$)/i, "");
  const isList = said !== undefined && tellingWords(said).length > 0 && !/^(?:to-?do|to do|todos?)$/i.test(said);
  const name = listNameIn(request.text) ?? (isList ? said : null);
  return name ? capital(name) : null;
}

const key = (name: string) => tellingWords(name).join(" ");

/** The list that is meant: one that exists, or one that the message calls a list. */
export async function listOf(sight: Sight, request: Request): Promise<string | null> {
  const said = listSaid(request);
  const known = mayRead(sight, "tasks:read") ? await listsInUse(sight.ctx) : [];
  const exact = known.find(({ name }) => said !== null && key(name) === key(said));
  if (exact) return exact.name;
  const isCalled = wordsOf(request.text).some(
    (word) => word === "list" || /^(?:liste|lista|einkaufsliste)$/.test(word),
  );
  return said !== null && isCalled ? said : null;
}

/** The list whose tasks the last reply was about; null if they are of none, or of several. */
export async function listOfLast(sight: Sight): Promise<string | null> {
  const { ctx, state } = sight;
  const [latest = []] = state.groups;
  const isOfTasks = latest.length > 0 && latest.every(({ kind }) => kind === "task");
  if (!isOfTasks || !mayRead(sight, "tasks:read")) return null;
  const tasks = await tasksByIds(
    ctx,
    latest.map(({ id }) => id),
  );
  const [list, ...others] = new Set(tasks.map(({ listId }) => listId));
  if (list === undefined || list === null || others.length > 0) return null;
  return (await listsInUse(ctx)).find(({ id }) => id === list)?.name ?? null;
}

/** "tagged home", "with the tag home", "#home" */
const TAGGED =
  /(?:#|\b(?:tag(?:ged)?|label(?:l?ed)?|schlagwort|étiquette|etiqueta)\b(?:\s+(?:as|with|it|them|this|that|is|called|mit|als|como|comme))*\s*[:“"']?\s*)([\p{L}\p{N}][\p{L}\p{N}-]{0,49})/giu;
const NO_TAG = /^(?:the|a|an|on|of|to|for|from|as|my|in|and|off|task|tasks|email|emails|it)$/i;

/** The tags that the message says, in lower case. */
export function tagsIn(text: string): string[] {
  const said = [...text.matchAll(TAGGED)].map(([, tag = ""]) => tag.toLowerCase());
  return [...new Set(said.filter((tag) => !NO_TAG.test(tag)))];
}

export const withoutTags = (text: string) =>
  text
    .replace(TAGGED, " ")
    .replace(/[\s,]+$/, "")
    .trim();
