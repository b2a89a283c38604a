/* Whether somebody writes of a file that goes along, in the languages of the service. */

const WORDS = [
  // English
  "attached|attaching|attachments?|enclosed|enclosures?",
  // German
  "angehängt\\p{L}*|beigefügt\\p{L}*|anhang|anhänge|anbei|hänge[^.!?\\n]{0,60} an",
  // French
  "pièces? jointes?|ci-jointe?s?|en pj|je joins|j[’']ai joint",
  // Spanish
  "adjunt[oa]s?|adjuntamos|adjuntad[oa]s?|adjunté",
].join("|");
const MENTION = new RegExp(`(?<!\\p{L})(?:${WORDS})(?!\\p{L})`, "iu");

/** The word that says so. Not in what is quoted. */
export function mentionsFile(text: string): string | null {
  const own = text
    .split("\n")
    .filter((line) => !line.startsWith(">"))
    .join("\n");
  return MENTION.exec(own)?.[0] ?? null;
}
