import { readDueText } from "../../../src/engine/due-text.ts";
import { understandEmail } from "../../../src/engine/email/intelligence.ts";
import { calendarEvents } from "../../../src/engine/meetings/calendar-events.ts";
import { readRepetition } from "../../../src/engine/repetition-words.ts";
import { readInstructions } from "../../../src/engine/reply/instructions.ts";
import { snoozeTime } from "../../../src/engine/snooze-time.ts";
import { answerPrompt } from "../../../src/features/ai/language/prompts.ts";
import { askedThings } from "../../../src/features/chat/language/errands/asked-things.ts";
import { errandOf } from "../../../src/features/chat/language/errands/errand.ts";
import { toldEvents } from "../../../src/features/chat/language/errands/told-event.ts";
import { readAct } from "../../../src/features/chat/language/follow-ups/act.ts";
import { readAmendment } from "../../../src/features/chat/language/follow-ups/amendment.ts";
import { readEmailCommand, readNewEmail } from "../../../src/features/chat/language/follow-ups/email-command.ts";
import { readLooseChange } from "../../../src/features/chat/language/follow-ups/loose-change.ts";
import { readNounPhrase } from "../../../src/features/chat/language/follow-ups/noun-phrase.ts";
import { backIn, restoredOne } from "../../../src/features/chat/language/follow-ups/undo-words.ts";
import { plainQuoting } from "../../../src/features/chat/language/wording/everyday-words.ts";
import { withNeed } from "../../../src/features/chat/language/wording/needs.ts";
import { plainRequest } from "../../../src/features/chat/language/wording/paraphrase.ts";
import { plainWish } from "../../../src/features/chat/language/wording/reasons.ts";
import { fixSpelling } from "../../../src/features/chat/language/wording/spelling.ts";
import { splitErrands } from "../../../src/features/chat/language/wording/split-message.ts";
import { withTopic } from "../../../src/features/chat/language/wording/topic.ts";
import { readMessage } from "../../../src/features/chat/reader/read.ts";
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
import { visibleText } from "../../../src/lib/visible-text.ts";
import { weightedLength } from "../../../src/lib/weighted-length.ts";

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

const folded = (text: string) => text.replaceAll(/[\s\S]{900}/g, "$&\r\n ");
const event = (text: string) =>
  `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20310101T100000Z\n${text}\nEND:VEVENT\nEND:VCALENDAR\n`;

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
  ["instructions for a reply", LINE, (text) => readInstructions(text)],
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
  ["chat: errands", CHAT, (text) => splitErrands(text)],
  ["chat: a request", CHAT, (text) => plainRequest(text)],
  ["chat: a wish", CHAT, (text) => [plainWish(text), withNeed(text), withTopic(text), plainQuoting(text)]],
  ["chat: an errand", CHAT, (text) => errandOf(text)],
  ["chat: something asked", CHAT, (text) => askedThings(text, clock)],
  ["chat: something told", CHAT, (text) => toldEvents(text, clock)],
  ["chat: an act", CHAT, (text) => readAct(text)],
  ["chat: an amendment", CHAT, (text) => [readAmendment(text, clock, true), readLooseChange(text, clock)]],
  ["chat: an email", CHAT, (text) => [readEmailCommand(text), readNewEmail(text)]],
  ["chat: what a message wants", CHAT, (text) => readMessage(text, "", clock)],
  ["chat: a name", CHAT, (text) => readNounPhrase(text)],
  ["chat: taking back", CHAT, (text) => [backIn(text), restoredOne(text)]],
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
