import { readDueText } from "../../../src/engine/due-text.ts";
import { understandEmail } from "../../../src/engine/email/intelligence.ts";
import { signInOf } from "../../../src/engine/email/sign-in.ts";
import { calendarEvents } from "../../../src/engine/meetings/calendar-events.ts";
import { readRepetition } from "../../../src/engine/repetition-words.ts";
import { saidIn } from "../../../src/engine/reply/orders.ts";
import { snoozeTime } from "../../../src/engine/snooze-time.ts";
import { answerPrompt } from "../../../src/features/ai/language/prompts.ts";
import { readMessage } from "../../../src/features/chat/reader/read.ts";
import { withoutCourtesies } from "../../../src/features/chat/request/courtesies.ts";
import { exactly, quotedIn, remindsOfNew } from "../../../src/features/chat/request/exact.ts";
import { filtersIn, levelIn } from "../../../src/features/chat/request/filters.ts";
import { isReferring, kindIn, referenceIn } from "../../../src/features/chat/request/reference.ts";
import { requestOf } from "../../../src/features/chat/request/request.ts";
import { fixSpelling } from "../../../src/features/chat/request/spelling.ts";
import { bareTime } from "../../../src/features/chat/request/times.ts";
import { vetoOf } from "../../../src/features/chat/request/vetoes.ts";
import { flagsOf, receivedAtOf } from "../../../src/features/emails/import/flags.ts";
import { readSearchDate } from "../../../src/features/emails/language/search-date.ts";
import { readQuickTask } from "../../../src/features/tasks/language/quick-add.ts";
import { parseResults, readAuthentication } from "../../../src/lib/authentication-results.ts";
import { readRange } from "../../../src/lib/byte-range.ts";
import { safeHtml } from "../../../src/lib/html/safe-html.ts";
import { htmlToText } from "../../../src/lib/html-text.ts";
import { readInvitation } from "../../../src/lib/ics/read.ts";
import { splitCalendar } from "../../../src/lib/ics/split.ts";
import { readListHeaders } from "../../../src/lib/list-headers.ts";
import { parseMailto } from "../../../src/lib/mailto.ts";
import { parseMessageIds } from "../../../src/lib/message-id.ts";
import { headerText, readPartHeaders, structured } from "../../../src/lib/mime/headers.ts";
import { MessageSkim } from "../../../src/lib/mime/skim.ts";
import { transferEncodingOf } from "../../../src/lib/mime/transfer-encoding.ts";
import { parseAddress } from "../../../src/lib/parse-address.ts";
import { NO_OPERATORS, parseSearch } from "../../../src/lib/search-syntax.ts";
import { searchableText } from "../../../src/lib/searchable-text.ts";
import { collapseSpace, snippetOf } from "../../../src/lib/text.ts";
import { readCards } from "../../../src/lib/vcard.ts";
import { visibleText } from "../../../src/lib/visible-text.ts";
import { weightedLength } from "../../../src/lib/weighted-length.ts";
import { messageDigest } from "../../../src/providers/mailbox/imap/digest.ts";
import { decodeFolderName } from "../../../src/providers/mailbox/imap/folder-names.ts";
import { ResponseFramer, ResponseProblem } from "../../../src/providers/mailbox/imap/framer.ts";
import { readResponse } from "../../../src/providers/mailbox/imap/responses.ts";
import { plainReason, soundsBusy } from "../../../src/providers/mailbox/reason.ts";

const clock = { reference: new Date("2031-03-03T09:00:00Z"), timeZone: "Europe/Berlin" };
/** What the API accepts of a chat message, of a line, and of a search. */
const [CHAT, LINE, QUERY] = [8000, 2000, 1000];
const ANY = 100_000;

const bytes = (text: string) => new TextEncoder().encode(text);

function skim(...texts: string[]): void {
  const reader = new MessageSkim();
  for (const text of texts) reader.push(bytes(text));
  for (const { headers } of reader.end().files) headerText(bytes(headers.contentId));
}

function readImap(text: string): void {
  for (const raw of new ResponseFramer().push(bytes(text))) {
    try {
      const response = readResponse(raw);
      if (response.type === "data") response.values();
    } catch (error) {
      if (!(error instanceof ResponseProblem)) throw error;
    }
  }
}

const folded = (text: string) => text.replaceAll(/[\s\S]{900}/g, "$&\r\n ");
const event = (text: string) =>
  `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20310101T100000Z\n${text}\nEND:VEVENT\nEND:VCALENDAR\n`;

const BOB = { tone: "formal", group: null, names: new Set(["Bob"]) } as const;
const conversation = { clock, isAsked: true, isWritten: true, fits: () => true };

/** What the chat without a model makes of a message before it looks anything up. */
export function requestsIn(message: string) {
  const text = fixSpelling(message);
  return readMessage(text, "", clock).map((wish) => requestOf(text, wish, conversation));
}

type Parser = readonly [name: string, most: number, parse: (text: string) => unknown];

/** Everything that reads what somebody else wrote: how much of it at most, and how. */
export const PARSERS: readonly Parser[] = [
  ["a header of the content", ANY, (text) => structured(`text/plain; x=${text}`)],
  ["a block of headers", ANY, (text) => readPartHeaders(`Content-Type: text/plain; x=${folded(text)}\r\n`)],
  ["the encoding of a part", ANY, (text) => transferEncodingOf(text)],
  [
    "a message of headers",
    ANY,
    (text) => skim(`Content-Type: a/b; x=${folded(text)}\r\nSubject: ${folded(text)}\r\n\r\nHi`),
  ],
  ["a message of text", ANY, (text) => skim("Content-Transfer-Encoding: quoted-printable\n\n", text)],
  ["a message of parts", ANY, (text) => skim("Content-Type: multipart/mixed; boundary=b\n\n", text)],
  ["responses of a mail server", ANY, (text) => readImap(`* LIST () "/" ${text}\r\n${text}`)],
  ["a name of a folder", LINE, (text) => decodeFolderName(text)],
  ["a refusal of a mail server", ANY, (text) => [plainReason(text, ["secret"], ""), soundsBusy(text)]],
  ["the header of a message in a mailbox", ANY, (text) => messageDigest(bytes(text), 1)],
  ["a card", ANY, (text) => readCards(`BEGIN:VCARD\nNOTE;${text}:${text}\n${text}\nEND:VCARD`)],
  ["a folded card", ANY, (text) => readCards(`BEGIN:VCARD\nNOTE:${text.replaceAll(/[\s\S]{3}/g, "$&\n ")}\nEND:VCARD`)],
  [
    "a card of vCard 2.1",
    ANY,
    (text) => readCards(`BEGIN:VCARD\nNOTE;QUOTED-PRINTABLE:${text.replaceAll(/[\s\S]{3}/g, "$&=\n")}\nEND:VCARD`),
  ],
  ["a time of receipt", ANY, (text) => receivedAtOf([{ key: "received", value: `by x; ${text}` }])],
  ["labels", ANY, (text) => flagsOf([{ key: "x-gmail-labels", value: text }])],
  ["results of authentication", ANY, (text) => parseResults(text)],
  [
    "a sender",
    ANY,
    (text) =>
      readAuthentication(
        {
          headers: [
            { key: "authentication-results", value: "mx.example; spf=pass" },
            { key: "from", value: text },
          ],
          from: "a@x.org",
          envelopeFrom: text,
        },
        ["mx.example"],
      ),
  ],
  [
    "headers of a list",
    ANY,
    (text) =>
      readListHeaders(
        [
          { key: "list-id", value: text },
          { key: "list-unsubscribe", value: text },
          { key: "dkim-signature", value: text },
        ],
        "a@x.org",
      ),
  ],
  ["message ids", ANY, (text) => parseMessageIds(text)],
  ["an address", LINE, (text) => parseAddress(text)],
  ["a mailto link", LINE, (text) => parseMailto(`mailto:${text}`)],
  ["HTML to text", ANY, (text) => htmlToText(text)],
  ["an email's HTML", ANY, (text) => safeHtml(text, { pictureOf: () => null, isPart: false })],
  ["a style sheet", ANY, (text) => safeHtml(`<style>${text}</style>`, { pictureOf: () => null, isPart: false })],
  ["visible text", ANY, (text) => visibleText(`<p>${text}`)],
  ["searchable text", ANY, (text) => searchableText(text)],
  ["a snippet", ANY, (text) => [collapseSpace(text), snippetOf(text)]],
  ["a calendar to split", ANY, (text) => splitCalendar(event(text)).groups.map((group) => group.text())],
  ["an event", ANY, (text) => readInvitation(event(`SUMMARY:${text.replaceAll(/[\r\n]/g, " ")}`), "UTC")],
  [
    "a list of guests",
    ANY,
    (text) => readInvitation(event(`ATTENDEE;CN="${text.replaceAll(/["\r\n]/g, " ")}":mailto:a@x.org`), "UTC"),
  ],
  ["events in a text", ANY, (text) => calendarEvents(event(text), "UTC")],
  [
    "an email",
    ANY,
    (text) => understandEmail({ content: text, subject: "Hi", from: { name: "A", email: "a@x.org" }, ...clock }),
  ],
  ["instructions for a reply", LINE, (text) => saidIn("en", text, BOB)],
  ["instructions in another language", LINE, (text) => saidIn("de", `sag ihr, dass ${text}`, BOB)],
  ["a sign-in code", ANY, (text) => signInOf({ from: "noreply@x.example", subject: "Your code", body: text })],
  ["a prompt", CHAT, (text) => answerPrompt(text, clock)],
  ["a due date", LINE, (text) => readDueText(text, clock)],
  ["a repetition", LINE, (text) => readRepetition(text, clock)],
  ["a time to snooze", LINE, (text) => snoozeTime(text, clock)],
  ["a task in a line", LINE, (text) => readQuickTask(text, clock, ["shopping"])],
  ["a search", QUERY, (text) => parseSearch(text, NO_OPERATORS)],
  ["a date in a search", QUERY, (text) => readSearchDate(text, clock)],
  ["a post", ANY, (text) => weightedLength(text)],
  ["a range of bytes", LINE, (text) => readRange(text, 1000)],
  ["chat: spelling", CHAT, (text) => fixSpelling(text)],
  ["chat: courtesies", CHAT, (text) => (["en", "fr", "es"] as const).map((each) => withoutCourtesies(text, each))],
  ["chat: what a message wants", CHAT, (text) => readMessage(text, "", clock)],
  ["chat: its requests", CHAT, (text) => requestsIn(text)],
  ["chat: a short answer", CHAT, (text) => [exactly(text, conversation), vetoOf(text), remindsOfNew(text)]],
  ["chat: a reference", CHAT, (text) => [referenceIn(text), isReferring(text), kindIn(text), quotedIn(text)]],
  ["chat: what narrows down", CHAT, (text) => [filtersIn(text), levelIn(text), bareTime(text, clock)]],
];

/** What is repeated: fillers, quotes, brackets, lists, headers. */
export const PIECES: readonly string[] = [
  " ",
  "\t",
  "\n",
  "\r\n",
  "\r\n ",
  ".",
  "!",
  ",",
  ";",
  ":",
  "-",
  "--",
  "--b\n",
  "--b--\n",
  '"',
  '\\"',
  "\\",
  "'",
  "“",
  "”",
  "(",
  "( ",
  "\\(",
  ")",
  "()",
  "[",
  "]",
  "<",
  ">",
  "<>",
  "{",
  "}",
  "@",
  "a@",
  "a@b.c ",
  "#",
  "#a ",
  "+a ",
  "?",
  "=",
  "a=",
  "/",
  "a /",
  "=?",
  "=?utf-8?q?a?=",
  "%",
  "%4",
  "1",
  "1/1%",
  "1 000 ",
  "1,000,",
  "a",
  "é",
  "😀",
  "\u0000",
  "\ufffd",
  "and ",
  "and and",
  "please ",
  " please",
  "hi  ",
  "oh ",
  "no, ",
  "so, ",
  "ok ",
  "can you please ",
  "the ",
  "on ",
  "in ",
  "at 5 ",
  "monday ",
  "every day ",
  "remind me ",
  "milk, ",
  "milk, eggs, bread and ",
  "add milk and ",
  "buy milk. ",
  "undo ",
  "any new mail ",
  "cancel it ",
  "1h ",
  "one hour and ",
  "before ",
  "from 5 to 6 ",
  "a.",
  "x y ",
  "if possible ",
  "thanks ",
  "as soon as possible ",
  "by friday ",
  "http://",
  "http://a.b ",
  "https://a.b.",
  "<img ",
  "<img src=",
  "<style>",
  "<!--",
  "<a href='",
  "<div>",
  "</div>",
  "<br>",
  "&amp;",
  "&#",
  "> ",
  "* ",
  "- a\n",
  "1. a\n",
  "| a ",
  "**",
  "_",
  "From: a\n",
  "Received: (",
  'Content-Type: a/b; x="\n',
  "a: b\r\n",
  "x*0=a;",
  '; name="',
  "BEGIN:VEVENT\nUID:a\nEND:VEVENT\n",
  "BEGIN:VTIMEZONE\nTZID:E\nEND:VTIMEZONE\n",
  "ATTENDEE:mailto:a@b.c\n",
  "EXDATE:20310101T100000Z\n",
  "RRULE:FREQ=DAILY;",
  "DTSTART;TZID=E:",
  "BEGIN:X\n",
  "\n ",
];
