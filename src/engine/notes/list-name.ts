const NAMED =
  /\b(?:to|on|onto|in|into|from|off|of)\s+(?:my|the|our)\s+["“']?((?:[\p{L}\p{N}&-]+\s+){0,3}?[\p{L}\p{N}&-]+)["”']?\s+list\b/iu;
/** "show me my shopping list" */
const SHOWN =
  /^(?:please )?(?:show|read|open|see|list|display)(?: me)? (?:my|the|our) ((?:[\p{L}\p{N}&-]+\s+){0,3}?[\p{L}\p{N}&-]+) list\b/iu;
/** Lists that are not lists of tasks, and the one of all tasks. */
const OTHER =
  /^(?:to-?do|to do|todos?|tasks?|task|things to do|reminders?|mailing|e-?mail|distribution|contact|guest|wait(?:ing)?|price|play|check|same|whole|full)$/i;

/** The name of the list of tasks that a message is about: "the shopping list" is Shopping. Null if it names none. */
export function listNameIn(message: string): string | null {
  const name = (NAMED.exec(message) ?? SHOWN.exec(message))?.[1]?.trim();
  if (!name || OTHER.test(name)) return null;
  return name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** The message without the words that name the list. */
export function withoutListName(message: string): string {
  return message.replace(NAMED, " ").replace(/\s+/g, " ").trim();
}

/** The message with the name of the list blanked out, so that nothing moves. */
export function hideListName(message: string): string {
  return listNameIn(message) === null ? message : message.replace(NAMED, (words) => " ".repeat(words.length));
}
