import type { Address } from "./addresses.ts";
import { safeHtml } from "./html/safe-html.ts";
import { cutToBytes, escapeMarkup } from "./text.ts";

/** The email that is answered or forwarded. */
export interface Original {
  from: Address;
  to: readonly Address[];
  cc: readonly Address[];
  subject: string;
  sentAt: Date;
  text: string;
  html: string | null;
}

/** How dates are written for the person who writes. */
export interface Wording {
  locale: string;
  timeZone: string;
  timeFormat: "24h" | "12h";
}

/** The same content as plain text and as HTML. */
interface TextAndHtml {
  text: string;
  html: string;
}

/** Together with what the person writes, an email must fit into the stored response of an Idempotency-Key (2 MB). */
const MAX_TEXT_BYTES = 100_000;
const MAX_HTML_BYTES = 200_000;

interface Phrases {
  wrote: (date: string, person: string) => string;
  forwarded: string;
  from: string;
  date: string;
  subject: string;
  to: string;
  cc: string;
}

const ENGLISH: Phrases = {
  wrote: (date, person) => `On ${date}, ${person} wrote:`,
  forwarded: "Forwarded message",
  ...{ from: "From", date: "Date", subject: "Subject", to: "To", cc: "Cc" },
};

const PHRASES: Record<string, Phrases> = {
  en: ENGLISH,
  de: {
    wrote: (date, person) => `Am ${date} schrieb ${person}:`,
    forwarded: "Weitergeleitete Nachricht",
    ...{ from: "Von", date: "Datum", subject: "Betreff", to: "An", cc: "Kopie" },
  },
  fr: {
    wrote: (date, person) => `Le ${date}, ${person} a écrit :`,
    forwarded: "Message transféré",
    ...{ from: "De", date: "Date", subject: "Objet", to: "À", cc: "Copie" },
  },
  es: {
    wrote: (date, person) => `El ${date}, ${person} escribió:`,
    forwarded: "Mensaje reenviado",
    ...{ from: "De", date: "Fecha", subject: "Asunto", to: "Para", cc: "Cc" },
  },
  it: {
    wrote: (date, person) => `Il ${date}, ${person} ha scritto:`,
    forwarded: "Messaggio inoltrato",
    ...{ from: "Da", date: "Data", subject: "Oggetto", to: "A", cc: "Cc" },
  },
  nl: {
    wrote: (date, person) => `Op ${date} schreef ${person}:`,
    forwarded: "Doorgestuurd bericht",
    ...{ from: "Van", date: "Datum", subject: "Onderwerp", to: "Aan", cc: "Cc" },
  },
  pt: {
    wrote: (date, person) => `Em ${date}, ${person} escreveu:`,
    forwarded: "Mensagem encaminhada",
    ...{ from: "De", date: "Data", subject: "Assunto", to: "Para", cc: "Cc" },
  },
};

function phrasesOf(locale: string): Phrases {
  return PHRASES[new Intl.Locale(locale).language] ?? ENGLISH;
}

function dateOf(sentAt: Date, { locale, timeZone, timeFormat }: Wording): string {
  // A language that has no phrases of its own gets English ones, and then the date is English too.
  const language = phrasesOf(locale) === ENGLISH && !locale.startsWith("en") ? "en" : locale;
  const parts = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit", hour12: timeFormat === "12h", timeZone } as const;
  return new Intl.DateTimeFormat(language, { ...parts, ...time }).format(sentAt);
}

/** Names and subjects come from outside: none may begin a line of its own. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\s]+/gu, " ").trim();
}

function personOf({ name, email }: Address): string {
  return name ? `${onOneLine(name)} <${email}>` : email;
}

/** The original below a reply: "On …, Ann wrote:" and its lines with `>`. */
export function quoteForReply(original: Original, wording: Wording): TextAndHtml {
  const line = phrasesOf(wording.locale).wrote(dateOf(original.sentAt, wording), personOf(original.from));
  const lines = textOf(original).split("\n");
  const quoted = lines.map((each) => (/^(?:>|$)/.test(each) ? `>${each}` : `> ${each}`));
  const style = "margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex";
  return {
    text: `${line}\n${quoted.join("\n")}`,
    html: `<p>${escapeMarkup(line)}</p>\n<blockquote type="cite" style="${style}">${htmlOf(original)}</blockquote>`,
  };
}

/** The original below a forward, with its headers. */
export function quoteForForward(original: Original, wording: Wording): TextAndHtml {
  const words = phrasesOf(wording.locale);
  const people = (list: readonly Address[]) => list.map(personOf).join(", ");
  const headers = [
    [words.from, personOf(original.from)],
    [words.date, dateOf(original.sentAt, wording)],
    [words.subject, onOneLine(original.subject)],
    [words.to, people(original.to)],
    ...(original.cc.length > 0 ? [[words.cc, people(original.cc)]] : []),
  ].map(([name, value]) => `${name}: ${value}`);
  const title = `---------- ${words.forwarded} ---------`;
  const heading = [title, ...headers];
  return {
    text: `${heading.join("\n")}\n\n${textOf(original)}`,
    html: `<p>${heading.map(escapeMarkup).join("<br>\n")}</p>\n<div>${htmlOf(original)}</div>`,
  };
}

function textOf({ text }: Original): string {
  const whole = text.replaceAll(/\r\n?/g, "\n").trimEnd();
  const cut = cutToBytes(whole, MAX_TEXT_BYTES);
  return cut.length < whole.length ? `${cut}\n[…]` : cut;
}

/** A longer original is quoted as text: HTML cannot be cut without breaking it. */
function htmlOf(original: Original): string {
  const { html } = original;
  if (html !== null && html.length <= MAX_HTML_BYTES) {
    const inert = safeHtml(html, { pictureOf: quotedPicture, isPart: true });
    if (cutToBytes(inert, MAX_HTML_BYTES).length === inert.length) return inert;
  }
  return textToHtml(textOf(original));
}

/** The recipient's program decides whether it loads. */
function quotedPicture(address: string): string | null {
  return /^(?:https?:|cid:|data:image\/(?:png|jpeg|gif|webp);)/i.test(address) ? address : null;
}

export function textToHtml(text: string): string {
  return escapeMarkup(text).replaceAll(/\r?\n/g, "<br>\n");
}
