import { isTask } from "../../src/engine/email/action-items.ts";
import { detectIn, understandEmail } from "../../src/engine/email/intelligence.ts";
import { kindOf } from "../../src/engine/email/kind.ts";
import { signInOf } from "../../src/engine/email/sign-in.ts";
import { languageIn } from "../../src/engine/languages/language.ts";
import { writeReply } from "../../src/engine/reply/reply.ts";
import { parseEmail } from "../../src/features/emails/parse-mime.ts";
import { toEngineInput } from "../../src/features/emails/record.ts";
import { readAuthentication, senderProof } from "../../src/lib/authentication-results.ts";
import type { EmailKind } from "../../src/lib/email-kinds.ts";
import type { Language } from "../../src/lib/languages.ts";
import { MessageSkim } from "../../src/lib/mime/skim.ts";
import { instantOf, localTime } from "./case-set.ts";
import type { LabelledEmail, Moment } from "./mail-set.ts";

/** What the product makes of an email that arrives, in the words of the labels. */
export interface Reading {
  kind: EmailKind;
  language: Language | null;
  /** The level that the product shows at this time. */
  urgencyAt(now: Moment): string;
  /** `due` with 23:59 means the whole day. */
  todos: { title: string; due: Moment | null; isMine: boolean; isTask: boolean }[];
  meetings: { title: string; start: Moment; end: Moment; place: string }[];
  /** The value of a sign-in link is null: the product shows the email's own link. */
  codes: { value: string | null; minutes: number | null }[];
  /** The built-in draft of a reply with this instruction. */
  reply(instruction: string): { text: string; language: Language | null };
}

const ZONE = "Europe/Berlin";
const READER = { timeZone: ZONE, habits: { dayFirst: true } };
const ADDRESS = "nora@feld.example";
const RECEIVER = "mx.feld.example";
const utf8 = new TextEncoder();

const momentOf = (date: Date) => localTime(date, ZONE);

export async function parseMail(email: LabelledEmail) {
  const skim = new MessageSkim();
  skim.push(utf8.encode(rawMessage(email)));
  const parsed = await parseEmail(skim.end());
  return { ...parsed, from: parsed.from ?? { name: "", email: "" } };
}

/** The path of `features/emails/inbound.ts`, without the database. */
export async function readMail(email: LabelledEmail): Promise<Reading> {
  const { calendarParts, headers, to, from, ...parsed } = await parseMail(email);
  const envelopeFrom = email.headers.get("return-path") ?? from.email;
  const authentication = readAuthentication({ headers, from: from.email, envelopeFrom }, [RECEIVER]);
  const { subject, body } = parsed;
  const kind = kindOf({
    headers,
    proof: senderProof(authentication),
    envelopeFrom,
    from: from.email,
    fromName: from.name,
    replyTo: parsed.replyTo?.email ?? null,
    deliveredTo: ADDRESS,
    subject,
    body,
    html: parsed.html,
    calendarParts,
    isKnown: email.headers.get("known") === "yes",
  });
  const receivedAt = instantOf(email.receivedAt.replace(" ", "T"), ZONE);
  const input = toEngineInput({ body, subject, from, to, receivedAt, kind, authentication }, READER);
  const analysis = understandEmail(input);
  const signIn = signInOf({ from: from.email, subject, body, html: parsed.html });
  return {
    kind,
    language: analysis.language ?? null,
    // The level of the first reading is stored, and does not change as time passes.
    urgencyAt: () => analysis.urgency.level,
    todos: analysis.actionItems.map((item) => ({
      title: item.text,
      due: item.dueAt && momentOf(item.dueAt),
      isMine: item.assignee === null || item.assignee === "you",
      isTask: isTask(item),
    })),
    meetings: detectIn(input).meetings.map(({ title, start, end, location }) => ({
      title,
      start: momentOf(start),
      end: momentOf(end),
      place: location ?? "",
    })),
    codes: signIn ? [{ value: signIn.code, minutes: signIn.minutes }] : [],
    reply: (instructions) => {
      const { response: text } = writeReply({ email: input, tone: "friendly", instructions, senderName: "Nora" });
      return { text, language: languageIn(text) };
    },
  };
}

const OWN_HEADERS = new Set(["known", "proof", "calendar", "date", "content-type"]);

/** The message as it arrives, with the result of the receiver's checks on top. */
function rawMessage({ headers, body, receivedAt }: LabelledEmail): string {
  const domain = /@([^>\s]+)>?$/.exec(headers.get("from") ?? "")?.[1] ?? "";
  const proof = headers.get("proof") ?? "pass";
  const results = `${RECEIVER}; spf=${proof} smtp.mailfrom=${domain}; dkim=${proof} header.d=${domain}; dmarc=${proof} header.from=${domain}`;
  const given = [...headers]
    .filter(([name]) => !OWN_HEADERS.has(name))
    .map(([name, value]) => `${name}: ${encoded(value)}`);
  const to = headers.has("to") ? [] : [`to: Nora Feld <${ADDRESS}>`];
  const head = [...(proof === "none" ? [] : [`authentication-results: ${results}`]), ...given, ...to];
  const date = `date: ${instantOf(receivedAt.replace(" ", "T"), ZONE).toUTCString()}`;
  const calendar = headers.get("calendar");
  const type = headers.get("content-type") ?? "text/plain";
  const text = [`content-type: ${type}; charset=utf-8`, "content-transfer-encoding: 8bit", "", body];
  const content = calendar
    ? [
        'content-type: multipart/mixed; boundary="=_parts"',
        "",
        "--=_parts",
        ...text,
        "--=_parts",
        ...calendarPart(calendar),
        "--=_parts--",
        "",
      ]
    : /^multipart\//.test(type)
      ? [`content-type: ${type}`, "", body]
      : text;
  return [...head, date, "mime-version: 1.0", ...content].join("\n").replace(/\n/g, "\r\n");
}

/** Words that are not ASCII, as RFC 2047 writes them. */
function encoded(value: string): string {
  return value.replace(/[^\s<>"]*[^\x20-\x7e][^\s<>"]*(?: [^\s<>"]*[^\x20-\x7e][^\s<>"]*)*/g, (words) => {
    return `=?utf-8?B?${Buffer.from(words).toString("base64")}?=`;
  });
}

/** `REQUEST 2027-01-25 18:00 60 "title" "place"`: method, start, minutes, title and place. */
function calendarPart(line: string): string[] {
  const [, method, day = "", time = "", minutes, title, place] =
    /^(\w+) (\S+) (\S+) (\d+) "([^"]*)" "([^"]*)"$/.exec(line) ?? [];
  const start = instantOf(`${day}T${time}`, ZONE);
  const basic = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, "");
  return [
    `content-type: text/calendar; charset=utf-8; method=${method}`,
    "",
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `METHOD:${method}`,
    "BEGIN:VEVENT",
    `UID:${day}-${time}@calendar.example`,
    `DTSTART:${basic(start)}`,
    `DTEND:${basic(new Date(start.getTime() + Number(minutes) * 60_000))}`,
    `SUMMARY:${title}`,
    `LOCATION:${place}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
}
