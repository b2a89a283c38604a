import { capitalize, collapseSpace } from "../../lib/text.ts";
import { datesIn, type ReadEmail } from "../email/email.ts";
import type { TextRange } from "../email/sentences.ts";
import { MEETING_WORDS } from "../languages/meetings.ts";
import { EVENT_NOUN, MEETING_NOUN } from "./patterns.ts";

/** Stands where a date, a place or a link was said: none of them belongs to the name. */
const HOLE = "\uE000";
/** Prepositions between the name and a date or place, in every supported language. */
const LINKS =
  "on|at|in|by|for|from|to|via|over|around|this|the|our|my|@|am|um|im|in der|in dem|bei|beim|ab|von|für|den|le|la|à|a|au|en|chez|dans|el|los|las|de|sobre|para";
const BEFORE_HOLE = new RegExp(`(?:[\\s,;:(–-]|(?<![\\p{L}])(?:${LINKS})(?=[\\s\\uE000])){0,20}\\uE000`, "giu");

/** Phrases before the name of an event. */
const LEAD =
  /^(?:[\s,;:.!¿¡–-]+|(?:(?:(?:just )?(?:an? )?(?:quick |friendly |gentle )?reminder(?: that| of| about| for)?|erinnerung|rappel|recordatorio|fyi|note(?: to self)?|new (?:event|entry|meeting|appointment)(?=:)|(?:i'm |i am |we're |we are )?looking forward to|(?:just |i'm |i am )?(?:confirming|to confirm)|hi|hey|hello|hallo|hola|bonjour|ok|okay|also|and|so|please|kindly|bitte)\b[:,!]?|trage?\b|ich lade (?:dich|euch|sie)(?: herzlich)? zu[rm]?\b|(?:te|os|les) invito a\b|je (?:t'|vous )invite à|(?:can|could|shall|should|may|might|would) (?:we|you|i)\b(?: please| all| maybe| perhaps)*|(?:let's|lets|let us)\b|(?:i|we|you)(?:'d| would)? (?:like|love|want|need|plan|have|are having|will have|'ll have|got|attend)\b(?: to)?|we(?:'re|'ll| are| will)? (?:have|having|be having|on for|throwing|hosting)\b|(?:an? )?(?:calendar )?(?:event|entry)(?: called| named| titled| for|:)|(?:i'm|i am)(?: going to)?\b|(?:you are|you're|i am|i'm|we are|we're) (?:cordially |all |both )?invit(?:ed|ing)(?: you)?\b|(?:how|what) about\b|invite you(?: all| both)?\b|there(?:'s| is| will be)\b|it(?:'s| is)\b|i(?:'ve| have) (?:scheduled|booked|set up|arranged|got)\b|(?:add|create|schedule|book|set up|arrange|plan|organi[sz]e|put|pencil(?: in)?|block(?: out| off)?|reserve|throw|stick|set(?= (?:an?|the|up)\b)|jot(?: down)?|sign(?: me)? up(?: for)?|start|mark|set aside|fit in|squeeze in|get everyone|save the date|have|grab|get|do|make|attend|join|meet(?: up)?|catch up|come|go)\b(?: (?:me|us|you|together|in|down))*(?: (?:for|to|at|on|over))?|(?:to|for|us|you|wir haben|ich habe|nous avons|j'ai|tenemos|tengo)\b)\s*)/iu;
/** After an article no verb follows: "the book launch". */
const ARTICLE =
  /^(?:(?:(?:the|a|an|our|your|my|his|her|their|another|next|der|die|das|den|ein|eine|einen|einem|unser|unsere|unseren|mein|meine|meinen|le|la|les|un|une|notre|mon|ma|el|los|una|nuestra|nuestro|mi)\s+)+|l['’](?=\p{L}))/iu;
/** Words that end the name: the verb of the sentence, or a new clause. */
const END =
  /\uE000|[.?!;\n]|:(?=\s|$)|,(?=\s*\uE000|\s*$)|\s(?:is|are|was|were|will|would|has|have|had|takes?|meets?|starts?|begins?|leaves|departs|ends|opens|closes|can|could|should|may|moved|does|works?|needs?|happens?|if|so that|because|but|ist|sind|war|wird|werden|findet|finden|beginnt|startet|wurde|est|sont|sera|aura|auront|se tiendra|commence|débute|es|son|será|serán|tendrá|está|empieza|comienza|se celebrará)(?=[\s\uE000.,!?]|$)/iu;
/** Words at which no name begins or ends. */
const LOOSE =
  /^(?:and|or|with|to|of|for|about|at|in|on|by|down|as|round|blocked|after|before|the|a|an|und|mit|avec|con|y|et|sometime|some|time)$|^[^\p{L}\d]*$/iu;
const NOT_A_NAME =
  /^(?:i|we|you|he|she|they|it|this|that|there|here|how|what|when|where|who|why|does|do|did|is|are|will|talk(?! with)|speak|see|let|thanks|thank|if|ich|wir|je|nous|on|yo|nos|call (?:me|you|us)|meet (?:me|you|us))\b/iu;
/** "I have to study at the library", "put the dentist on my calendar": what is said there is the name. */
const A_DUTY =
  /^\W*(?:i (?:have|need|want|would like|'d like|plan) to\b|.{0,80}\b(?:on|to|in) (?:my|the) (?:calendar|schedule|agenda|diary)\b)/i;
/** "A fire drill is planned for Monday": whatever it is called, it is an event. */
const PLANNED = /\b(?:takes? place|(?:is|are|has been|have been) (?:planned|scheduled)|(?:will )?be held)\b/i;
/** "parents' evening on Thursday": the word before the time belongs to the name. */
const NAMED_PART =
  /(?<!\b(?:the|this|that|every|each|in|on|at|late|early|next|last|tomorrow|yesterday|\w+day)|[,;.!?:]|^) $/i;
const DAY_PART = /^(?:evening|night|morning|afternoon)(?= (?:on|at)\b)/i;
const MAX_WORDS = 9;

/**
 * What an event is called by the sentence that announces it: "The board meeting is in Room 204 at 10" → "Board
 * meeting". Null if the sentence does not name it. A person's own note may name anything.
 */
export function eventName(
  email: ReadEmail,
  range: TextRange,
  others: readonly TextRange[],
  isNote: boolean,
): string | null {
  if (isNote && A_DUTY.test(email.visible.slice(range.start, range.end))) return null;
  const text = withHoles(email, range, [...datesIn(email, range), ...others]);
  // "Tomorrow at 3 we have the board meeting": the name may follow the time, if nothing else stands before it.
  const called = /\b(?:called|named|titled):? (?=\S)/i.exec(text.slice(0, 120));
  if (called && isNote) return capitalize(nameIn(text.slice(called.index + called[0].length), 0) ?? "") || null;
  for (const part of text.split(HOLE).slice(0, isNote ? 4 : 2)) {
    const name = nameIn(part);
    if (name) return isNote || names(email, name) || PLANNED.test(text) ? capitalize(name) : null;
  }
  return null;
}

function withHoles(email: ReadEmail, { start, end }: TextRange, holes: readonly TextRange[]): string {
  let text = "";
  let at = start;
  for (const hole of [...holes].sort((a, b) => a.start - b.start)) {
    if (hole.start < at || hole.end > end) continue;
    const before = email.visible.slice(at, hole.start);
    const part = DAY_PART.exec(email.visible.slice(hole.start, hole.end))?.[0] ?? "";
    text += before + (part && NAMED_PART.test(before) ? part : "") + HOLE;
    at = hole.end;
  }
  return collapseSpace(text + email.visible.slice(at, end)).replace(BEFORE_HOLE, HOLE);
}

function nameIn(part: string, rounds = 8): string | null {
  let text = part.slice(0, 300);
  for (let round = 0; round < rounds; round += 1) {
    const rest = text.replace(LEAD, "");
    if (rest === text) break;
    text = rest;
  }
  text = text.replace(ARTICLE, "").replace(/^(?:(?:half )?an hour |time |a slot )?(?=with \p{L})/iu, "Meeting ");
  const stop = END.exec(text)?.index ?? text.length;
  // "Invite Sam and Lena to lunch"
  const plain = text
    .slice(0, stop)
    .replace(/^invite (.{2,60}?) (?:to|for) (?:an? )?(\p{L}+(?: \p{L}+)?) ?$/iu, "$2 with $1");
  const words = plain.replace(/["“”]/g, "").trim().split(" ");
  while (LOOSE.test(words.at(-1) ?? "x")) words.pop();
  while (LOOSE.test(words[0] ?? "x")) words.shift();
  const name = words
    .join(" ")
    .replace(/(?<![\s,:–-])[\s,:–-]+$|(?<![\s,])[\s,]+as an? (?:event|appointment|meeting)$/, "")
    .replace(/^(?:recurring|repeating|regular) (?=\S)/i, "")
    .replace(/^(meeting|call|lunch|chat) for me and /i, "$1 with ");
  return words.length > MAX_WORDS || name.length < 3 || NOT_A_NAME.test(name) ? null : name;
}

/** Whether a phrase says what kind of event it is. */
function names({ language }: ReadEmail, name: string): boolean {
  if (MEETING_NOUN.test(name) || EVENT_NOUN.test(name)) return true;
  return language !== null && language !== "en" && MEETING_WORDS[language].noun.test(name);
}
