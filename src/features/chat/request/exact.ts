import { wordSet } from "../../../lib/words.ts";

/** Words that change nothing about what a short message means. */
const ASIDES = wordSet(
  "great good perfect lovely nice fine cool brilliant please pls thanks thank you then now oh ok okay well so just ah hm hmm sorry actually wait and bitte danke doch mal also jetzt merci alors svp gracias por favor pues ya",
);

const phrases = (text: string): ReadonlySet<string> => new Set(text.split(", "));

const YES = phrases(
  "yes, yep, yeah, yup, ya, aye, sure, sure thing, go ahead, go on, do it, do that, do so, please do, go for it, correct, right, that's right, exactly, absolutely, definitely, of course, confirm, confirmed, sounds good, perfect, fine, that's fine, that works, works for me, looks good, alright, all right, make it so, by all means, y, ja, ja gern, ja gerne, gerne, gern, genau, stimmt, richtig, mach das, mach es, klar, natürlich, einverstanden, passt, oui, ouais, d'accord, vas-y, allez-y, bien sûr, c'est bon, exactement, sí, si, claro, vale, adelante, hazlo, de acuerdo, exacto, correcto, por supuesto",
);
const NO = phrases(
  "no, nope, nah, na, naw, no need, none, none of them, neither, not now, not yet, don't send it, do not send it, don't send it yet, do not send it yet, nein, nee, nö, lieber nicht, non, nan, pas maintenant, rien, ninguno, no hace falta, ahora no",
);
/** No, where something was asked; otherwise they may take back what was done. */
const DROPS = phrases(
  "never mind, nevermind, forget it, forget that, stop, don't, leave it, leave it be, leave that, skip it, lass es, lass das, vergiss es, laisse, laisse tomber, laissez, déjalo, dejalo, olvídalo",
);
const CANCELS = phrases("cancel, cancel that, cancel it");
const DOUBTS = phrases(
  "no wait, wait no, oops, whoops, oh no, no no, wait, hold on, nein warte, moment, attends, espera",
);
const HELP = phrases(
  "help, help me, what can you do, hilfe, was kannst du, aide, que peux-tu faire, ayuda, qué puedes hacer",
);
const UNDO = phrases(
  "undo, undo that, undo it, undo this, take it back, take that back, revert, revert that, reverse that, scratch that, put it back, bring it back, that was a mistake, that was wrong, rückgängig, mach das rückgängig, mach es rückgängig, zurücknehmen, nimm das zurück, annule ça, annule cela, annuler, reviens en arrière, remets le, deshaz, deshazlo, deshacer, deshaz eso, devuelve lo",
);
const REDO = phrases("redo, redo that, redo it, do it again, do that again, nochmal, wiederholen, refais le, rehazlo");
const SEND = phrases(
  "off it goes, off with it, fire away, schick es ab, abschicken, senden, envoie, envoie le, envoyer, envía, envia lo, manda lo",
);

const SENDS = wordSet("send dispatch ship");
const AROUND_SEND = wordSet(
  "it that this one you can may could should please now then ok okay off out away so go ahead and just good great fine perfect lovely the email mail message draft reply letter yes",
);

/** "Good, you can send that off": nothing but that it is to be sent. */
const isSend = (words: readonly string[]) =>
  words.some((word) => SENDS.has(word)) && words.every((word) => SENDS.has(word) || AROUND_SEND.has(word));

type Exact = "yes" | "no" | "undo" | "redo" | "send" | "help";

/** What the conversation is at: a question is open, or the last reply has changed something. */
export interface Moment {
  isAsked: boolean;
  isWritten: boolean;
}

/** What a short message means by itself, whatever the reader makes of it; null if it says more. */
export function exactly(message: string, { isAsked, isWritten }: Moment): Exact | null {
  const all = wordsOf(message);
  const bare = [all, all.filter((word) => !ASIDES.has(word))].map((words) => words.join(" "));
  const is = (known: ReadonlySet<string>) => bare.some((text) => known.has(text));
  if (is(UNDO) || ((is(DROPS) || is(DOUBTS)) && !isAsked && isWritten)) return "undo";
  if (is(REDO)) return "redo";
  if (is(SEND) || isSend(all)) return "send";
  if (is(HELP)) return "help";
  const parts = message.split(/[,.!]/).map((part) => wordsOf(part).join(" "));
  const isNo = parts.filter((part) => part !== "").every((part) => NO.has(part)) && all.length > 0;
  if (isNo || is(NO) || is(DROPS) || is(DOUBTS) || (isAsked && is(CANCELS)) || (all[0] === "no" && bare[1] === "no"))
    return "no";
  // "Thanks" alone is no yes.
  return is(YES) || (bare[1] === "" && all.some((word) => word === "ok" || word === "okay" || word === "please"))
    ? "yes"
    : null;
}

/** The words of a text in lower case, without punctuation. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []
  );
}

/** Words without the punctuation and the space at their end. */
export const withoutStop = (text: string) => text.replace(/(?<![\s,.!?])[\s,.!?]+$/, "");

/** Text in quotation marks is meant to the letter. */
export function quotedIn(text: string): string | null {
  return /["“„«]([^"“”„«»]{1,300})["”“»]/.exec(text)?.[1]?.trim() ?? null;
}

const REMINDS = [
  "remind me to ",
  "remind me that ",
  "don't let me forget to ",
  "don't let me forget ",
  "don't forget to ",
  "don't forget: ",
  "erinnere mich daran",
  "erinner mich daran",
  "erinnere mich an ",
  "erinner mich an ",
  "rappelle-moi de ",
  "rappelle-moi d'",
  "rappelez-moi de ",
  "rappelez-moi d'",
  "recuérdame que ",
  "recuerdame que ",
  "recuérdame ",
  "recuerdame ",
  "recuérdeme ",
];

/** "remind me to call Ann" adds a task, whoever says it. */
export function remindsOfNew(text: string): boolean {
  const words = text.toLowerCase().replaceAll("’", "'").trimStart();
  const bare = words.replace(/^(?:(?:please|and|also|hey|hi|ok|bitte|kannst du|und)[\s,]+)*/, "");
  return REMINDS.some((form) => bare.startsWith(form));
}

/** "Remind me tomorrow before the rehearsal to pack the folder" */
export const remindsOf = (text: string): boolean => /\bremind me\b.{0,120}? to \p{L}{2,}/iu.test(text);

const CLEARS =
  /^(?:(?:please|just)\s+)*(?:clear|empty|wipe|free up)(?: out)? (?:my|the|our|all of) (?:\S+ ){0,3}?(?:calendar|schedule|diary|day|morning|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|today|tomorrow)\b/i;

/** "Clear my calendar on Friday": everything that is on then. */
export const clearsTime = (text: string): boolean => CLEARS.test(text);

const CLEARS_TASKS =
  /^(?:(?:please|just)\s){0,3}(?:clear|empty|wipe)(?: out)? (?:my|the|our|all my) (?:(?:whole|entire|to-?do|to do|tasks?) )?(?:list|tasks|to-?dos|to do list|to do's)[.!]?$/i;

/** "Clear my list": all that is open, or all of the list that was talked about. */
export const clearsTasks = (text: string): boolean => CLEARS_TASKS.test(text);
