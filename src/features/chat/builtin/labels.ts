import { listNameIn, withoutListName } from "../../../engine/notes/list-name.ts";
import { listsInUse } from "../../tasks/lists/service.ts";
import { tasksByIds } from "../../tasks/service.ts";
import { shareOf, tellingWords } from "../../tools/language/name-match.ts";
import { withoutStop, wordsOf } from "../request/exact.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { mayRead } from "./find.ts";
import type { Sight } from "./plan.ts";

/*
 * Lists and tags. Those that exist are found by their names in the message; a new one has to be called a list or a tag.
 */

const capital = (name: string) => name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** "auf die Einkaufsliste", "à la liste de courses", "a la lista de la compra" */
const FOREIGN =
  /\s(?:auf|von|in|zur|an) (?:die|der|meine[rn]?|unsere[rn]?) (?<de>\p{L}{3,}?)s?liste\b|\s(?:à|sur|de|dans) (?:la|ma|notre) liste (?:des? |d')(?<fr>\p{L}{3,})|\s(?:a|en|de) (?:la|mi|nuestra) lista de (?:la |los |las )?(?<es>\p{L}{3,})/iu;

/** The list that the message says, whether or not it exists: "the shopping list" is Shopping. */
export function listSaid(request: Pick<Request, "text" | "slots">): string | null {
  const { de, fr, es } = FOREIGN.exec(request.text)?.groups ?? {};
  const said = slotsOf(request, "l")[0]
    ?.replace(/\slist$/i, "")
    .replace(/^(?:my|the|our|meine|ma|mi)(?:\s+|$)/i, "");
  const isList = said !== undefined && tellingWords(said).length > 0 && !/^(?:to-?do|to do|todos?)$/i.test(said);
  const name = listNameIn(request.text) ?? de ?? fr ?? es ?? (isList ? said : null);
  return name ? capital(name) : null;
}

/** The message without the words that name a list; null if none do. */
export function withoutList(text: string): string | null {
  if (listNameIn(text) !== null) return withoutListName(text);
  return FOREIGN.test(text) ? text.replace(FOREIGN, " ") : null;
}

const key = (name: string) => tellingWords(name).join(" ");

/** The list that exists by this name, or nearly. */
export async function knownList(sight: Sight, said: string): Promise<string | null> {
  const known = mayRead(sight, "tasks:read") ? await listsInUse(sight.ctx) : [];
  const isNear = ({ name }: { name: string }) => shareOf(said, [name]) > NEAR && shareOf(name, [said]) > NEAR;
  return (known.find(({ name }) => key(name) === key(said)) ?? known.find(isNear))?.name ?? null;
}

const NEAR = 0.9;

/** The list that is meant: one that exists, or one that the message calls a list. */
export async function listOf(sight: Sight, request: Request): Promise<string | null> {
  if (/\bsame list\b/i.test(request.text)) return listOfLast(sight);
  const said = listSaid(request);
  if (said === null) return null;
  const isCalled = wordsOf(request.text).some((word) => /^(?:list|\p{L}*liste|lista)$/u.test(word));
  return (await knownList(sight, said)) ?? (isCalled ? said : null);
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

/** "tagged home", "with the tag home", ", tag home", "tag it home", "tag the bike as home", "#home" */
const TAGGED =
  /(?:#|\b(?:tagged|labell?ed)(?: as| with| mit)? |(?:\b(?:the|a|with|under|tag:|dem|l'|la) |, ?|: ?)(?:tags?|label|schlagwort|étiquette|etiqueta):? (?:called )?|\b(?:tag|label) (?:it|them|this|that|both)(?: as| with)? |\b(?:tag|label) (?:\S+ ){1,8}?(?:as|with) )["“']?([\p{L}\p{N}][\p{L}\p{N}-]{0,49})/giu;
const NO_TAG = /^(?:the|a|an|on|of|to|for|from|as|with|my|in|and|off|task|tasks|email|emails|it)$/i;

/** The tags that the message says, in lower case. */
export function tagsIn(text: string): string[] {
  const said = [...text.matchAll(TAGGED)].map(([, tag = ""]) => tag.toLowerCase());
  return [...new Set(said.filter((tag) => !NO_TAG.test(tag)))];
}

export const withoutTags = (text: string) => withoutStop(text.replace(TAGGED, " ")).trim();
