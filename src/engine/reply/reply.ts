import type { Interval } from "../../lib/intervals.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "../../lib/languages.ts";
import { replySubject } from "../../lib/reply-subject.ts";
import { capitalize, firstCharacters } from "../../lib/text.ts";
import { correspondentOf, firstNameOf } from "../email/correspondent.ts";
import { type EmailInput, type ReadEmail, readEmail } from "../email/email.ts";
import { languageIn } from "../languages/language.ts";
import type { Meeting } from "../meetings/meetings.ts";
import { instructionLanguage } from "./instruction-language.ts";
import { LETTERS, type PlainAnswer, type ReplyTone, toned } from "./letters.ts";
import { type Said, saidIn } from "./orders.ts";
import { aboutTimes, momentOf, refuses, suggestedTimes, withoutPromptInjections } from "./suggested-times.ts";

interface ReplyOrder {
  email: EmailInput;
  tone: ReplyTone;
  /** The instructions of the person who replies. */
  instructions: string;
  senderName: string | null;
  /** When the person who replies is busy; null if the calendar was not read. */
  busy?: readonly Interval[] | null;
}

interface WrittenReply {
  subject: string;
  response: string;
  language: Language;
  /** Parts of the instructions that were not understood and not followed. */
  unread: string[];
  /** What the person should know before they send it. */
  note: string | null;
}

/** What the reply says between its greeting and its closing. */
interface Content {
  language: Language;
  sentences: string[];
  unread: string[];
  note?: string;
}

export const QUOTED_NOTE =
  "The built-in engine could not turn your instructions into a letter, so the reply quotes them. Edit it before you send it.";

/**
 * Replies to an email without a language model: a greeting, what the instructions say, and a closing. It promises, asks
 * and repeats nothing that the person did not say.
 */
export function writeReply(order: ReplyOrder): WrittenReply {
  const { email, tone, senderName } = order;
  const input = withoutPromptInjections(email);
  const name = correspondentOf(input);
  const content = contentOf(order.instructions.trim(), factsOf(input, name, order));
  const { language, sentences, unread, note = null } = content;
  const { closings } = LETTERS[language];
  const body = sentences.join(" ");
  const paragraphs = [
    greeting(LETTERS[language].greetings, tone, name),
    language === "de" ? afterComma(body) : body,
    senderName ? `${closings[tone]}${language === "de" ? "" : ","}\n${senderName}` : closings[tone],
  ];
  return {
    subject: firstCharacters(email.subject?.trim() ? replySubject(email.subject) : "Re: your message", 300),
    response: paragraphs.join("\n\n"),
    language,
    unread,
    note,
  };
}

function greeting([unnamed, formal, friendly, brief]: readonly string[], tone: ReplyTone, name: string | null) {
  const words = { formal, friendly, brief }[tone] ?? "";
  return name ? words.replace("…", () => (tone === "formal" ? name : firstNameOf(name))) : unnamed;
}

interface Facts {
  tone: ReplyTone;
  email: ReadEmail;
  /** That the email suggests. */
  times: readonly Meeting[];
  /** Whether the email says no, or takes something back. */
  isRefusal: boolean;
  /** Of the person who is written to. */
  names: ReadonlySet<string>;
  busy: readonly Interval[] | null;
}

function factsOf(input: EmailInput, name: string | null, { tone, instructions, busy = null }: ReplyOrder): Facts {
  const email = readEmail(input);
  const times = instructions === "" ? [] : suggestedTimes(input, email);
  const words = `${name ?? ""} ${input.from?.name ?? ""} ${input.from?.email?.split("@")[0] ?? ""}`.match(/\p{L}+/gu);
  const names = new Set(words?.map((word) => capitalize(word.toLowerCase())));
  return { tone, email, times, names, busy, isRefusal: times.length === 0 && refuses(email) };
}

/**
 * In the language of the person's words, which nothing here can translate. Without such words ("accept"), in that of the
 * email.
 */
function contentOf(text: string, facts: Facts): Content {
  const { language: written } = facts.email;
  if (text === "") return acknowledgement(facts);
  const quoted = QUOTED.exec(text)?.[1];
  if (quoted) {
    const language = languageIn(quoted) ?? "en";
    return { language, sentences: [quoted], unread: [], ...noted(facts, language) };
  }
  const readings = LANGUAGES.map((language) => readingIn(language, text, facts));
  const own = languageIn(text) === null ? null : instructionLanguage(text);
  const known = readings.filter(({ unread }) => unread.length === 0);
  const reading =
    readings.find(({ language }) => language === own) ??
    known.find(({ language, said }) => language === written || isPlain(said)) ??
    readings.find(({ language }) => language === (written ?? "en"));
  if (!reading || reading.unread.length > 0) return quoting(text, reading, facts);
  if (reading.said.length === 0) return acknowledgement(facts);
  const language = (isPlain(reading.said) && written) || reading.language;
  const sentences = reading.said.map(({ kind, sentence }) => sentence ?? (kind ? answerIn(language, kind, facts) : ""));
  return { language, sentences, unread: [], ...noted(facts, language) };
}

/** A text that the instructions give word by word: `say: "…"`. */
const QUOTED =
  /^(?:(?:please |bitte )?(?:say|write|reply|answer|respond|send|schreib|sag|antwort|écri|répond|di|escrib|respond|contest)\p{L}{0,4}(?:[ -](?:him|her|them|back|ihm|ihr|ihnen|bitte|lui|leur))?)?\s?:?\s?["“„«]\s?([^"“”„«»]{2,})["”“»]\s?[.!]?$/iu;

const isPlain = (said: readonly Said[]) => said.every(({ sentence }) => sentence === null);

interface Reading {
  language: Language;
  said: Said[];
  unread: string[];
}

function readingIn(language: Language, text: string, facts: Facts): Reading {
  const { tone, names, email, times, busy } = facts;
  const free = language === "en" && asksForTimes(text) ? aboutTimes(times, email, busy) : null;
  const order = free === null ? text : text.replace(FREE_TIMES, "");
  const { said, unread } = saidIn(language, order, { tone, group: null, names });
  // A "yes" to an email that says no, or takes something back, may mean either; one to two times means one of them.
  // "Check whether I'm free and accept" has a condition in mind.
  const isYes = said.some(({ kind, sentence }) => kind === "accept" && sentence === null);
  const isUnclear = isYes && (facts.isRefusal || free !== null || times.length > 1);
  const all = free === null ? said : [...said, { kind: null, sentence: free }];
  return { language, said: all, unread: isUnclear && unread.length === 0 ? [text] : unread };
}

/** "accept" alone is about the time that the email suggests. */
function answerIn(language: Language, kind: PlainAnswer, { tone, times, email }: Facts): string {
  const [time] = times;
  return language === "en" && kind === "accept" && time && times.length === 1
    ? `${momentOf(time, email)} works ${tone === "formal" ? "well " : ""}for me.`
    : toned(LETTERS[language].answers[kind], tone);
}

function acknowledgement(facts: Facts): Content {
  const language = facts.email.language ?? "en";
  return { language, sentences: [LETTERS[language].received], unread: [], ...noted(facts, language) };
}

/** Nothing but the instructions in the frame of a letter: a part of them that was followed could mislead. */
function quoting(text: string, reading: Reading | undefined, { email }: Facts): Content {
  const language = reading?.language ?? email.language ?? "en";
  const [open, close] = LETTERS[language].quotes;
  return { language, sentences: [`${open}${text}${close}`], unread: reading?.unread ?? [text], note: QUOTED_NOTE };
}

/** Says so if the reply is not in the language of the email: nothing here can translate. */
function noted({ email }: Facts, language: Language): { note?: string } {
  if (email.language === language) return {};
  const written = email.language
    ? LANGUAGE_NAMES[email.language]
    : "a language that the built-in engine does not write";
  return {
    note: `The email is in ${written}, and the built-in engine cannot translate. The reply is in ${LANGUAGE_NAMES[language]}.`,
  };
}

const FREE_TIMES =
  /(?:^|[;,.] ?| and )(?:please )?(?:(?:check(?: my calendar)?(?: and)?|say|tell \p{L}+|let \p{L}+ know|answer|reply)(?: and)? ?){1,2}(?:when|whether|if) (?:i am|i'm|we are|we're) (?:free|available)(?: then)?/iu;

/** Whether the instructions ask to say when the person is free. */
export function asksForTimes(instructions: string): boolean {
  return FREE_TIMES.test(instructions);
}

/** In German the text goes on in lower case after the comma of the greeting; nouns and names keep their letter. */
function afterComma(body: string): string {
  return body.replace(
    /^(?:Ich|Wir|Ja|Nein|Leider|Vielen|Danke|Das|Es|Herzlichen|Gerne?|Bis|Am|Im|Mit|Die|Der|Alles|Geht|Passt|Klar)(?!\p{L})/u,
    (word) => word.toLowerCase(),
  );
}
