import type { SignInKind } from "../../lib/email-kinds.ts";
import { htmlToText } from "../../lib/html-text.ts";
import { pairs } from "../../lib/words.ts";
import { isMailSystem, isRobot } from "./kind-senders.ts";
import { UNSUBSCRIBE } from "./kind-words.ts";
import { SIGN_IN_WEIGHTS } from "./sign-in-weights.ts";
import {
  ADDRESS,
  BULK,
  CLICKING,
  CODE,
  CONFERENCE,
  CONFIRMING,
  ENTER_IT,
  ENTERING,
  FIRST_PERSON,
  FORWARDED,
  INTRODUCED,
  isKept,
  isOtherKind,
  LASTING,
  MAX_LINKS,
  MONEY,
  NAME,
  NEWS,
  NO_CODE,
  NUMBER,
  OTHER,
  PASSWORD,
  REPLY,
  SIGNING,
  STOP,
  SURE_LINK,
  SURE_NAME,
  TALK,
  TELLING,
  TOKEN,
  USER_NAME,
  VALUE,
  WARNING,
} from "./sign-in-words.ts";

/*
 * Recognizes codes and links that let the reader in, by evidence: what a number looks like, how it is named, what the
 * message is for, how long it is valid, what it warns of, who sent it, and what speaks for another kind of number. Each
 * sign has a weight, from `npm run train`; `sign-in-words.ts` holds the words.
 */

/** A code or link that lets its reader in: a one-time code, a new password, a link to sign in or to prove an address. */
interface SignIn {
  kind: SignInKind;
  /** Null for a link. */
  code: string | null;
  /** How long it is valid; null for what is used more than once, such as a password. */
  minutes: number | null;
}

interface Message {
  from: string;
  subject: string;
  body: string;
  html?: string | null;
}

/** What may be the code or link, and the signs that speak for it or against it. */
interface Candidate {
  /** Null for a link. */
  code: string | null;
  signs: string[];
  isKept?: boolean;
}

/** Such messages are short, and say what they are for at once. Of a longer one, only what may name a code is read. */
const READ_CHARACTERS = 4000;
const MAX_PARTS = 28;
const MAX_CANDIDATES = 24;
/** Where the message does not say it. */
const CODE_MINUTES = 15;
const LINK_MINUTES = 60;
const MAX_MINUTES = 14 * 24 * 60;

/** The code or link of a message whose purpose it is; null for all other messages. */
export function signInOf(message: Message): SignIn | null {
  const scored = candidatesIn(message).map(({ signs, ...each }) => ({ ...each, score: scoreOf(signs) }));
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  if (best.length === 0) return null;
  const minutes = textsOf(message)
    .map((text) => minutesIn(text.toLowerCase()))
    .find((each) => each !== null);
  const { code = null, isKept: lasts } = best.find((each) => each.code !== null) ?? {};
  if (code === null) return { kind: "link", code, minutes: minutes ?? LINK_MINUTES };
  return { kind: "code", code: asWritten(code, message), minutes: minutes ?? (lasts ? null : CODE_MINUTES) };
}

/** With its accents: a password is of no use without them. */
function asWritten(code: string, { subject, body }: Message): string {
  const letters = [...code].map((letter) => `${letter.replace(/[\\^$.*+?()[\]{}|]/, "\\$&")}\\p{M}?`);
  const found = new RegExp(letters.join(""), "u").exec(`${subject}\n${body}`.normalize("NFD"));
  return found?.[0].normalize("NFC") ?? code;
}

const scoreOf = (signs: readonly string[]) =>
  signs.reduce((sum, sign) => sum + Number(SIGN_IN_WEIGHTS.get(sign) ?? 0), 0);

/** Everything in a message that may be a code or a link to sign in with, also for the training. */
export function candidatesIn(message: Message): Candidate[] {
  const head = plain(message.subject.slice(0, 400));
  return textsOf(message).flatMap((text) => {
    const whole = candidatesOf(message.from, head, `${head}\n\n${text}`);
    // What is quoted is a message of its own: whoever quotes it may have talked about anything.
    const quoted = text.match(/^ ?>.*$/gm)?.map((line) => line.replace(/^[ >]+/, "")) ?? [];
    const subject = head.replace(REPLY, "");
    return quoted.length === 0 ? whole : [...whole, ...candidatesOf("", subject, [subject, "", ...quoted].join("\n"))];
  });
}

/** The text as it is read: with the addresses of its links, and beside it the plain text, which may say something else. */
function textsOf({ body, html }: Message): string[] {
  const [shown, told] = [html ? readable(htmlToText(html, { withLinks: true })) : null, readable(body)];
  return shown === null || shown.replace(ADDRESS, "").replace(/\s+/g, "").includes(told.replace(/\s+/g, ""))
    ? [shown ?? told]
    : [shown, told];
}

/** The beginning, and whatever further on stands around a word for a code, a password or a link to sign in. */
function readable(content: string): string {
  const text = plain(content);
  if (text.length <= READ_CHARACTERS) return text;
  const parts: string[] = [];
  let at = READ_CHARACTERS;
  for (const { index } of text.matchAll(TELLING)) {
    if (index < at) continue;
    const part = text.slice(Math.max(at, index - 100), index + 200);
    if (/[\d:"„“«]|[A-Z]{3}/.test(part)) parts.push(part);
    at = index + 200;
  }
  return [text.slice(0, READ_CHARACTERS), ...fewOf(parts, MAX_PARTS)].join("\n");
}

/** The first and the last ones, where there are too many. */
const fewOf = <Item>(items: Item[], limit: number) =>
  items.length <= limit ? items : [...items.slice(0, limit / 2), ...items.slice(-limit / 2)];

function candidatesOf(from: string, head: string, text: string): Candidate[] {
  const low = text.toLowerCase();
  if (from !== "" && ![NAME, SIGNING, CONFIRMING, PASSWORD].some((words) => words.test(low))) return [];
  const about = signsOfMessage(from, head.toLowerCase(), low);
  const tokens = [...text.matchAll(CODE)]
    .filter(({ 0: code, index }) => !NO_CODE.test(code) && !isOfDate(code, low.slice(Math.max(0, index - 30), index)))
    .map(({ 0: value, index }) => ({ value, index, form: "" }));
  const isTold = ({ index }: { index: number }) =>
    text.slice(Math.max(0, index - 160), index + 80).search(TELLING) >= 0;
  const near = tokens.length > MAX_CANDIDATES ? tokens.filter(isTold) : tokens;
  const words = wordsIn(text, low).filter(({ index, value }) =>
    tokens.every((other) => other.index + other.value.length <= index || index + value.length <= other.index),
  );
  const codes = [...fewOf(near, MAX_CANDIDATES), ...words].map(({ value, index, form }) => {
    const { signs, ...kept } = signsOfCode(value, index, head.length, low, from);
    const own = form === "" ? signs : [...signs, form, ...signsOfWord(value, form, low.slice(index + value.length))];
    const code = form === "" ? value.replaceAll(" ", "") : value;
    return { code, signs: ["code", ...own, ...about.map((sign) => `code-${sign}`)], ...kept };
  });
  const links = signsOfLinks(low).map((signs) => ({
    code: null,
    signs: ["link", ...signs, ...about.map((sign) => `link-${sign}`)],
  }));
  return [...codes, ...links];
}

/** Where a code or password of any letters may stand: after its name, after what to do with it, before its name, alone. */
function wordsIn(text: string, low: string): { value: string; index: number; form: string }[] {
  const found = new Map<number, { value: string; index: number; form: string }>();
  for (const [form, pattern] of Object.entries(INTRODUCED)) {
    for (const { index, 0: all } of low.matchAll(pattern)) {
      const isBefore = form === "word-before" || form === "word-alone";
      VALUE.lastIndex = isBefore ? index : index + all.length;
      const match = VALUE.exec(text);
      if (!match) continue;
      const [whole, quoted, bare = ""] = match;
      // A password may end with an exclamation mark; after capitals it ends the sentence.
      const value = quoted?.trim() ?? bare.replace(/(?<![.*+-])[.*+-]{1,38}$|(?<=^[A-Z]{3,38})!$/, "");
      const at = VALUE.lastIndex - whole.length + whole.indexOf(value);
      if (isWorth(value, form, low.slice(at + value.length, at + value.length + 12), quoted !== undefined))
        if (!found.has(at)) found.set(at, { value, index: at, form });
      if (found.size >= MAX_CANDIDATES) break;
    }
  }
  return [...found.values()];
}

/** What no sentence has at this place: capitals, marks inside, or letters that make no word. */
const ODD =
  /^[A-Z]{3,}(?:[ -][A-Z]{2,})*$|[\p{L}\d][.!&_*#+][\p{L}\d]|[\p{L}\d]-[\p{L}\d]|[\p{L}\d]!$|\d|\p{Ll}\p{Lu}|[b-df-hj-np-tv-xz]{5}/u;
const isOdd = (value: string) => ODD.test(value) || !/[aeiouy]/i.test(value);
const ENDS = /^[ "'“”»›]{0,3}(?:[.,;)!(]|$|\n)/;

function isWorth(value: string, form: string, after: string, isQuoted: boolean): boolean {
  if (value.length < 3 || STOP.has(value.toLowerCase().split(" ")[0] ?? "")) return false;
  if (isQuoted) return form === "word-is" || form === "word-colon";
  const isSaid = form === "word-is" || form === "word-colon";
  return isOdd(value) || (isSaid ? ENDS : /^ \(/).test(isSaid || form === "word-named" ? after : "-");
}

function signsOfWord(value: string, form: string, after: string): string[] {
  const isQuoted = /^ ?["“”»›]/.test(after);
  return [
    [/^[A-Z -]+$/.test(value), "capitals"],
    [/[-.!_]/.test(value), "marks"],
    [isQuoted, "quoted"],
    [!isQuoted && !isOdd(value), `plain-${form}`],
    [!ENDS.test(after.slice(0, 12)), "goes-on"],
  ].flatMap(([holds, name]) => (holds ? [`${name}`] : []));
}

/** "18 November 2026", "3 de marzo de 2026". */
const isOfDate = (code: string, before: string) =>
  /^(?:19|20)\d\d$/.test(code) && /\d\.? (?:de )?\p{L}{3,10}(?: de|,)? $/u.test(before);

const LENGTHS = [30, 60, 120, 250];

/** What the message is about, and who sent it. */
function signsOfMessage(from: string, head: string, low: string): string[] {
  const rest = low.slice(head.length);
  const minutes = minutesIn(rest);
  const count = low.match(/\S+/g)?.length ?? 0;
  const [local = "", domain = ""] = from.toLowerCase().split("@");
  const isMachine = isRobot(from) || isMailSystem(from) || (local.length > 3 && domain.includes(local));
  return [
    [SIGNING.test(head), "subject-signing"],
    [CONFIRMING.test(head), "subject-confirming"],
    [NAME.test(head), "subject-name"],
    [OTHER.test(head), "subject-other"],
    [NEWS.test(head), "subject-news"],
    [SIGNING.test(rest), "signing"],
    [CONFIRMING.test(rest), "confirming"],
    [OTHER.test(rest), "other"],
    [NEWS.test(low), "news"],
    [WARNING.test(rest), "warning"],
    [minutes !== null, "expires"],
    [minutes !== null && minutes <= 60, "expires-soon"],
    [isMachine, "machine"],
    [USER_NAME.test(rest), "user-name"],
    [BULK.test(low) || UNSUBSCRIBE.test(low), "bulk"],
    [LASTING.test(rest), "lasting"],
    [CONFERENCE.test(low), "conference"],
    [/\d ?%/.test(low), "percent"],
    [FORWARDED.test(low), "forwarded"],
    [REPLY.test(head), "reply"],
    [TALK.test(low), "talk"],
    [FIRST_PERSON.test(rest) && !FORWARDED.test(low), "first-person"],
    [SURE_LINK.test(head), "sure-link-subject"],
    ...LENGTHS.map((limit) => [count > limit, `over-${limit}`] as const),
  ].flatMap(([holds, name]) => (holds ? [`${name}`] : []));
}

/** How it looks, and what stands around it: before and after it in its sentence, and in the line before if it begins one. */
function signsOfCode(code: string, at: number, headLength: number, low: string, from: string) {
  const start = low.lastIndexOf("\n", at - 1) + 1;
  const before =
    low
      .slice(Math.max(start, at - 100), at)
      .split(/[.!?] /)
      .at(-1) ?? "";
  const after = low.slice(at + code.length, at + code.length + 70).split(/[.!?](?:\s|$)|\n/, 1)[0] ?? "";
  const isFirst = !/[\p{L}\d]/u.test(before);
  const lead = isFirst
    ? (low
        .slice(Math.max(0, start - 160), start)
        .trimEnd()
        .split("\n")
        .at(-1) ?? "")
    : "";
  const isAlone = isFirst && !/[\p{L}\d]/u.test(after);
  const next = isAlone
    ? (low
        .slice(at + code.length, at + 160)
        .trimStart()
        .split("\n", 1)[0] ?? "")
    : "";
  const near = `${lead}\n${before}`;
  const clause = `${before} ${after}`;
  const tight = code.replace(/[ -]/g, "");
  const isDigits = /^\d+$/.test(tight);
  const isNamed = NAME.test(near.slice(-70)) || (isFirst && NAME.test(after.slice(0, 50)));
  const isSigning = SIGNING.test(clause) || SIGNING.test(lead);
  const isOther = OTHER.test(clause);
  const signs = [
    [isOtherKind(near.slice(-70), from), "named-otherwise"],
    [isNamed && !isOther && isSigning && /(?:is|ist|est|es|lautet|:)\W{0,3}$/.test(near), "named-signing-told"],
    [isDigits && tight.length === 6, "six-digits"],
    [isDigits && tight.length === 4, "four-digits"],
    [!isDigits, "letters"],
    [isAlone, "alone"],
    [isFirst && /^\W{0,3} ?(?:is|ist|est|es|-|–|—|:|lautet)(?!\p{L})/u.test(after), "it-is"],
    [/(?::|=|(?<!\p{L})(?:is|ist|est|es(?: el)?|lautet|with|mit|avec|con))\W{0,6}$/u.test(near), "introduced"],
    [SURE_NAME.test(clause) || SURE_NAME.test(lead), "sure-name"],
    [tight.length > 9 && !PASSWORD.test(near.slice(-50)), "long"],
    [isNamed, "named"],
    [isNamed && !isOther && isSigning, "named-signing"],
    [isNamed && !isOther, "named-not-other"],
    [isSigning || SIGNING.test(next), "near-signing"],
    [CONFIRMING.test(clause) || CONFIRMING.test(lead), "near-confirming"],
    [isOther, "near-other"],
    [OTHER.test(lead), "lead-other"],
    [PASSWORD.test(near.slice(-50)), "password"],
    [ENTERING.test(near) || ENTERING.test(`${after}\n${next}`), "entering"],
    [ENTER_IT.test(before), "enter-it"],
    [NUMBER.test(before), "number"],
    [MONEY.test(after) || MONEY.test(before), "money"],
    [at < headLength, "in-subject"],
    [low.indexOf(code.toLowerCase()) < headLength && at > headLength, "also-in-subject"],
  ].flatMap(([holds, name]) => (holds ? [`${name}`] : []));
  return { signs, isKept: isKept(`${near} ${after}`) };
}

/** The signs of each link; without an address, of the words for one. */
function signsOfLinks(low: string): string[][] {
  const links = [...low.matchAll(ADDRESS)].slice(0, MAX_LINKS);
  if (links.length === 0) return CLICKING.test(low) ? [signsOfLink(low, "", true)] : [];
  return links.flatMap(({ 0: address, index }, at) => {
    const end = (links[at - 1]?.index ?? 0) + (links[at - 1]?.[0].length ?? 0);
    const around = low.slice(Math.max(index - 160, end), index);
    const path = address.replace(/^https?:\/\/[^/]*/, "");
    return TOKEN.test(path) || SIGNING.test(around) || CONFIRMING.test(around) || PASSWORD.test(around)
      ? [signsOfLink(around, path, false)]
      : [];
  });
}

function signsOfLink(around: string, address: string, isLacking: boolean): string[] {
  const path = address.replace(/[^\p{L}\d]/gu, " ");
  // The words of the link itself, or the sentence before it.
  const words =
    around
      .trimEnd()
      .split(/\n|[.!?:|] /)
      .at(-1) ?? "";
  return [
    [isLacking, "no-address"],
    [TOKEN.test(address), "token"],
    [!isLacking && !TOKEN.test(address), "no-token"],
    [SIGNING.test(path) || CONFIRMING.test(path) || PASSWORD.test(path), "path"],
    [
      /(?<!\p{L})(?:magic|unlock|entsperr|de[sb]{1,2}loqu|opt ?in|join|auth|approve|token|recover|invite)/u.test(path),
      "path-magic",
    ],
    [OTHER.test(path), "path-other"],
    [CLICKING.test(around), "clicking"],
    [SURE_LINK.test(around), "sure"],
    [SURE_LINK.test(words), "sure-words"],
    [SIGNING.test(around), "near-signing"],
    [CONFIRMING.test(around), "near-confirming"],
    [PASSWORD.test(around), "near-password"],
    [OTHER.test(around), "near-other"],
  ].flatMap(([holds, name]) => (holds ? [`link-${name}`] : []));
}

/** Digits and letters of any width as plain ones, without accents and invisible characters. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}|\p{Cf}/gu, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/[’`´]/g, "'");
}

const VALID =
  "(?:expir|valid|within|good for|works?\\b|active|for the next|after|can be used|if you don't use|gultig|gilt|verfallt|verliert|lauft|innerhalb|moglich|funktioniert|valable|pendant|dans les|caduc|vence|durante|dura\\b|proximos|en los)[a-z]*";
const PERIODS: readonly (readonly [words: string, minutes: number])[] = [
  ["half(?: an)? hour|halbe stunde|demi-heure|media hora", 30],
  ["quarter of an hour|viertelstunde|quart d'heure|cuarto de hora", 15],
  ["min", 1],
  ["hour|hr|h\\b|stund|heure|hora", 60],
  ["day|tag|jour|dia", 24 * 60],
];
const NUMBERS = pairs(
  "a: 1, an: 1, one: 1, eine: 1, einer: 1, un: 1, une: 1, una: 1, two: 2, zwei: 2, deux: 2, dos: 2, three: 3, drei: 3, trois: 3, tres: 3",
  "five: 5, funf: 5, cinq: 5, cinco: 5, ten: 10, zehn: 10, dix: 10, diez: 10, fifteen: 15, funfzehn: 15, quinze: 15",
  "twenty: 20, zwanzig: 20, vingt: 20, veinte: 20, thirty: 30, dreissig: 30, dreißig: 30, trente: 30, treinta: 30",
);
const LENGTH = `\\b(?:(\\d{1,3}|${[...NUMBERS.keys()].join("|")})[ -])?(${PERIODS.map(([name]) => name).join("|")})`;
const EXPIRY = [`\\b${VALID}[^\\d\\n.]{0,40}?${LENGTH}`, `${LENGTH}[^\\d\\n.]{0,30}?\\b${VALID}`].map(
  (pattern) => new RegExp(pattern),
);

/** For how many minutes it says that it is valid; null if it does not say so. */
function minutesIn(text: string): number | null {
  const match = EXPIRY.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  if (!match) return null;
  const [, amount = "1", unit = ""] = match;
  const length = PERIODS.find(([name]) => new RegExp(`^(?:${name})`).test(unit))?.[1] ?? 1;
  return Math.min(MAX_MINUTES, Math.max(1, Number(NUMBERS.get(amount) ?? amount) * length));
}
