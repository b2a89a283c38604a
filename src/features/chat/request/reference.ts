import type { ChatRecord } from "../../../db/schema/chat.ts";
import { pairs, wordSet } from "../../../lib/words.ts";
import { wordsOf } from "./exact.ts";

export type Kind = ChatRecord["kind"];
export const EITHER: readonly Kind[] = ["event", "task"];

/** Words such as "it", "both" or "the second one", and the kind of record that a noun beside them says. */
export interface Reference {
  which:
    | "one"
    | "them"
    | "all"
    | "both"
    | "other"
    | "rest"
    | { at: number }
    | { first: number }
    | { last: number }
    /** "all three" */
    | { recent: number };
}

const ONE = wordSet(
  "c'est it it's it'll that that's this thing her him she he there one its es das dies dieses ihn sie den daran davon le la l ça cela celui celle lui lo eso esto ese esa este esta",
);
const THEM = wordSet("them they these those diese jene ces les los las");
const ALL = wordSet("all everything alle alles tous toutes tout todo todos todas");
const BOTH = wordSet("both beide beiden deux ambos ambas dos");
const OTHER = wordSet("other another andere anderen anderer autre otro otra");
const REST = wordSet("others rest remaining übrigen restlichen autres restantes otros otras demás");
const LAST = wordSet(
  "last latest newest latter bottom final letzte letzten letzter dernier dernière último ultimo última ultima",
);
const ORDINALS = pairs(
  "first: 0, 1st: 0, former: 0, top: 0, second: 1, 2nd: 1, third: 2, 3rd: 2, fourth: 3, 4th: 3, fifth: 4, 5th: 4, sixth: 5, 6th: 5",
  "erste: 0, ersten: 0, zweite: 1, zweiten: 1, dritte: 2, dritten: 2, vierte: 3, vierten: 3",
  "premier: 0, première: 0, premiere: 0, deuxième: 1, deuxieme: 1, second: 1, seconde: 1, troisième: 2, troisieme: 2, quatrième: 3",
  "primero: 0, primera: 0, segundo: 1, segunda: 1, tercero: 2, tercera: 2, cuarto: 3, cuarta: 3",
);
const COUNTS = pairs(
  "two: 2, three: 3, four: 4, five: 5, 2: 2, 3: 3, 4: 4, 5: 5, zwei: 2, drei: 3, deux: 2, trois: 3, dos: 2, tres: 3",
);

const NUMBERED = /(?:#|\b(?:number|no\.|nummer|numéro|número)\s)\s?([1-9])\b/i;

/** The reference in words that no slot and no time has taken; null if there is none. */
export function referenceIn(text: string): Reference | null {
  const words = wordsOf(text);
  const at = words.findIndex((word) => ORDINALS.has(word) || LAST.has(word));
  const count = COUNTS.get(words[at + 1] ?? "");
  const ordinal = words[at];
  if (ordinal !== undefined && count !== undefined) {
    return { which: LAST.has(ordinal) ? { last: Number(count) } : { first: Number(count) } };
  }
  if (ordinal !== undefined) return { which: { at: LAST.has(ordinal) ? -1 : Number(ORDINALS.get(ordinal)) } };
  const number =
    NUMBERED.exec(text)?.[1] ?? (words.length <= 3 ? /(?:^|\s)([1-9])(?:[.)]|$)/.exec(text.trim())?.[1] : undefined);
  if (number) return { which: { at: Number(number) - 1 } };
  if (words.some((word) => REST.has(word))) return { which: "rest" };
  if (words.some((word) => OTHER.has(word))) return { which: "other" };
  if (words.some((word) => BOTH.has(word))) return { which: "both" };
  const all = words.findIndex((word) => ALL.has(word));
  const counted = COUNTS.get(words[all + 1] ?? "");
  if (all >= 0) return { which: counted ? { recent: Number(counted) } : "all" };
  if (words.some((word) => THEM.has(word))) return { which: "them" };
  return words.some((word) => ONE.has(word)) ? { which: "one" } : null;
}

const ARTICLES = wordSet(
  "now then the a an my your our of and der die das den dem mein meine le la les el los las mon ma mi",
);

/** Whether words only point at something: "the last one", "hers". */
export function isReferring(text: string): boolean {
  if (NUMBERED.test(text)) return true;
  const pointing = [ONE, THEM, ALL, BOTH, OTHER, REST, LAST, ARTICLES, OWNERS];
  return wordsOf(text).every(
    (word) => pointing.some((set) => set.has(word)) || ORDINALS.has(word) || COUNTS.has(word) || word === "ones",
  );
}

const EXCEPT =
  /\b(?:except(?: for)?|apart from|other than|all but|everything but|bar|außer|sauf|menos|excepto)\s(?:for\s)?(\S.{0,200})$/i;

/** What is left out: "all except the deposit", "everything apart from the vanilla"; null if nothing is. */
export const exceptIn = (text: string): string | null => EXCEPT.exec(text)?.[1] ?? null;

const OWNERS = wordSet("hers his theirs mine");

/** Those of the records that are meant; null if the words fit more than one, or none. */
export function referred<Item>({ which }: Reference, items: readonly Item[]): Item[] | null {
  if (which === "all" || which === "them" || which === "rest") return items.length > 0 ? [...items] : null;
  if (which === "both") return items.length === 2 ? [...items] : null;
  if (which === "one" || which === "other") return items.length === 1 ? [...items] : null;
  if ("recent" in which) return items.length === which.recent ? [...items] : null;
  if ("first" in which) return items.length >= which.first ? items.slice(0, which.first) : null;
  if ("last" in which) return items.length >= which.last ? items.slice(-which.last) : null;
  const item = items.at(which.at);
  return item === undefined ? null : [item];
}

const NOUNS: readonly (readonly [Kind, ReadonlySet<string>])[] = [
  ["draft", wordSet("draft drafts entwurf brouillon borrador")],
  [
    "email",
    wordSet(
      "email emails e-mail e-mails mail mails message messages newsletter newsletters inbox nachricht nachrichten courriel courriels correo correos mensaje mensajes",
    ),
  ],
  [
    "task",
    wordSet(
      "task tasks todo todos to-do to-dos reminder reminders chore chores list aufgabe aufgaben erinnerung erinnerungen tâche tâches tache taches rappel rappels tarea tareas recordatorio recordatorios pendientes",
    ),
  ],
  [
    "event",
    wordSet(
      "event events meeting meetings appointment appointments call calls calendar session sessions class booking invitation invite termin termine treffen besprechung kalender rendez-vous rdv réunion réunions reunion événement agenda cita citas reunión reuniones evento eventos calendario",
    ),
  ],
];

/** These are verbs as well: "call it Lunch", "email Ann". */
const VERBS_TOO = wordSet("call calls email mail message invite book list draft");
const DETERMINERS = wordSet(
  "the a an my your our his her their this that these those which any all every no both first second third last next other video phone team new old unread following on as of in from",
);

/** The noun in the words that says a kind of record, and the kind; null if there is none. */
export function nounIn(text: string): { noun: string; kind: Kind } | null {
  const words = wordsOf(text);
  const isNoun = (at: number) =>
    !VERBS_TOO.has(words[at] ?? "") || (at === 0 ? words.length === 1 : DETERMINERS.has(words[at - 1] ?? ""));
  for (const [kind, nouns] of NOUNS) {
    const noun = words.find((word, at) => nouns.has(word) && isNoun(at));
    if (noun) return { noun, kind };
  }
  return null;
}

/** The kind of record that the words name; null if they name none. */
export const kindIn = (text: string): Kind | null => nounIn(text)?.kind ?? null;
