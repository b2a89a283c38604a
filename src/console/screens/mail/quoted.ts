import type { Email } from "./boxes.ts";

/** "On Monday, Ann wrote:" in the languages of common mail programs. Long ones are broken into two lines. */
const WROTE =
  /^(?:on|am|le|el|il|op|em)\b[^\n]{5,200}\n?[^\n]{0,100}\b(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu)\b[^\n]{0,100}:[ \t]*$/im;
const ORIGINAL =
  /^-{2,}[ \t]?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original)[ \t]?-{2,}/im;
const QUOTED_LINE = /^[ \t]*>/;

/**
 * Where the text of a reply goes over to the email it answers: its length if it does not. Answers that stand between the
 * lines they answer, and what would leave nothing, stay whole.
 */
export function quoteStart(text: string): number {
  const start = Math.min(...[WROTE, ORIGINAL].map((mark) => mark.exec(text)?.index ?? text.length), markedFrom(text));
  if (text.slice(0, start).trim() === "") return text.length;
  const after = text.slice(start).split("\n").slice(2);
  const marked = after.filter((line) => QUOTED_LINE.test(line)).length;
  const own = after.filter((line) => line.trim() !== "" && !QUOTED_LINE.test(line)).length;
  return marked > 0 && own > 0 ? text.length : start;
}

/** Where the lines with `>` begin that the text ends with. */
function markedFrom(text: string): number {
  const lines = text.split("\n");
  let at = lines.length;
  while (at > 0 && (lines[at - 1]?.trim() === "" || QUOTED_LINE.test(lines[at - 1] ?? ""))) at -= 1;
  const isMarked = lines.slice(at).some((line) => QUOTED_LINE.test(line));
  return isMarked ? lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0) : text.length;
}

/** What the frame leaves out when it is asked to: see `frame/document.ts` of the service. */
const QUOTE_TAG = /<blockquote\b|<div[^<>]{0,200}\bclass\s{0,9}=\s{0,9}["']?[^"'<>]{0,100}\bgmail_quote\b/i;

/** So much before the quoted text shows whether there is anything. */
const BEFORE = 4000;

/** Whether the formatted text of a reply has quoted text, and something before it. */
export function hasQuotes({ inReplyTo, html }: Pick<Email, "inReplyTo"> & { html: string | null }): boolean {
  const at = inReplyTo === null || html === null ? -1 : html.search(QUOTE_TAG);
  if (html === null || at <= 0) return false;
  const before = html.slice(Math.max(0, at - BEFORE), at);
  return /<img\b/i.test(before) || before.replace(/<[^<>]*>|&nbsp;|\s/g, "") !== "";
}
