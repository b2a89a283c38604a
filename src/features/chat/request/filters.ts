import type { PRIORITIES } from "../../../lib/task-kinds.ts";
import { wordSet } from "../../../lib/words.ts";
import { wordsOf } from "./exact.ts";

type Priority = (typeof PRIORITIES)[number];

/** Words that narrow down which tasks or emails are meant. */
export interface Filters {
  overdue?: true;
  done?: true;
  undated?: true;
  unread?: true;
  starred?: true;
  attachment?: true;
  sent?: true;
  spam?: true;
  waiting?: true;
  priority?: Priority;
}

const WORDS: readonly (readonly [keyof Omit<Filters, "priority">, ReadonlySet<string>])[] = [
  [
    "overdue",
    wordSet("overdue late missed überfällig überfällige überfälligen retard atrasadas atrasada atrasados vencidas"),
  ],
  [
    "done",
    wordSet(
      "done completed finished ticked complete erledigt erledigte erledigten fertig terminées terminee faites hechas completadas terminadas",
    ),
  ],
  ["undated", wordSet("undated unscheduled dateless")],
  ["unread", wordSet("unread new ungelesen ungelesene neue neuen lus nouveaux leídos leidos nuevos")],
  ["starred", wordSet("starred flagged markierte suivis destacados")],
  ["attachment", wordSet("attachment attachments attached anhang anhänge pièce jointe adjunto adjuntos")],
  ["sent", wordSet("sent gesendet gesendete envoyés enviados")],
  ["spam", wordSet("spam junk")],
  ["waiting", wordSet("reply answer response unanswered")],
];

const LEVELS: readonly (readonly [Priority, ReadonlySet<string>])[] = [
  ["low", wordSet("low lowest lower unimportant minor whenever niedrig niedrige unwichtig basse faible baja bajo")],
  ["medium", wordSet("normal medium regular ordinary standard usual mittel mittlere normale moyenne media")],
  [
    "urgent",
    wordSet(
      "urgent urgently asap critical emergency immediately pressing dringend dringende eilig urgente urgentes urgents urgentes",
    ),
  ],
  [
    "high",
    wordSet(
      "high highest higher top important priority prio vital crucial essential hoch hohe wichtig wichtige haute importante importantes alta alto",
    ),
  ],
];

/** The priority that the words name; null if they name none. "Not urgent" is low, "lower it to medium" is medium. */
export function levelIn(text: string): Priority | null {
  const all = wordsOf(text);
  const last = all.findLastIndex((word) => LEVELS.some(([, names]) => names.has(word)));
  const to = all.slice(0, Math.max(0, last)).findLastIndex((word) => TO.has(word));
  const words = all.slice(to + 1);
  const found = LEVELS.find(([, names]) => words.some((word) => names.has(word)))?.[0] ?? null;
  const isDenied = words.some((word) => word === "not" || word === "less" || word === "isn't" || word === "nicht");
  return isDenied && (found === "urgent" || found === "high") ? "low" : found;
}

const TO = wordSet("to auf à a");

export function filtersIn(text: string): Filters {
  const words = wordsOf(text);
  const found = WORDS.filter(([, names]) => words.some((word) => names.has(word))).map(([name]) => [name, true]);
  const isUndated =
    /\b(?:no|without|don't have|haven't|ohne|sans|sin)\b.{0,12}\b(?:date|deadline|datum|termin|fecha)/i.test(text);
  const level = LEVELS.filter(([name]) => name !== "medium").find(([, names]) => words.some((word) => names.has(word)));
  return { ...Object.fromEntries(found), ...(isUndated && { undated: true }), ...(level && { priority: level[0] }) };
}
