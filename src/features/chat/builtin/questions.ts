import { requireScopes } from "../../../context.ts";
import { askedTime, datesIn, withoutPhrases } from "../../../engine/notes/message-time.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { countBoxes } from "../../emails/boxes.ts";
import { selectTaskTotals } from "../../tasks/list.ts";
import { addressesOf } from "../../tools/addresses.ts";
import { eventView } from "../../tools/calendar.ts";
import type { EmailView } from "../../tools/emails.ts";
import { matchingEvents, matchingTasks } from "../../tools/find-record.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import { type TaskView, taskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { DONE_VERBS } from "../language/errands/target-record.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import { findEmails } from "./emails.ts";
import { eventsOf } from "./events.ts";
import { emailLine, eventLine, lines, type Reply, shorten, speaker, taskLine, toolResult } from "./reply-text.ts";
import { listTasks } from "./tasks.ts";

type Answer = (turn: Turn, found: RegExpExecArray, message: string) => Promise<Reply | null>;

const NAME =
  "([\\p{L}][\\p{L}'-]{0,40}(?: (?!answer|repl|writ|respond|e-?mail|get|send|sent|already|back|yet)[\\p{L}][\\p{L}'-]{0,40})?)";
const re = (source: string) => new RegExp(source, "iu");
const MAILS = "(?:e-?mails?|mails?|messages?)";

/** Questions that have one answer, which is given and nothing else. */
const ANSWERS: readonly [RegExp, Answer][] = [
  [
    re(
      `^how many (unread |new |starred |archived )?${MAILS}\\b(?! (?:(?:are there|do i have|have i got|did i get|have i) )?(?:from|about|by|with))`,
    ),
    countEmails,
  ],
  [
    re(
      `^how many (?:unread |new )?${MAILS} (?:(?:are there|do i have|have i got|did i get|have i) )?(?:from|by) ${NAME}|^how many (?:unread |new )?${MAILS} (?:did|has|have) ${NAME} (?:send|sent|write|written)`,
    ),
    countFrom,
  ],
  [re(`^how many (?:open |unfinished )?(?:tasks|to-?dos|reminders|things to do|things)\\b`), countTasks],
  [
    re(
      `^(?:did|has|have) (?:the |my )?(?!i\\b|you\\b|we\\b|it\\b|they\\b)${NAME} (?:already |yet |ever )?(?:answer|answered|reply|replied|write|written|wrote|respond|responded|e-?mail(?:ed)?(?: me)?|get back|gotten back|send|sent)\\b`,
    ),
    didWrite,
  ],
  [
    re(
      `^(?:have|did) (?:i|we) (?:already |ever )?(?:heard?|hear|had|got(?:ten)?|get|received?|receive) (?:back |any (?:post|mail|letters?|news|word|e-?mails?|messages?) |anything |something |an? (?:reply|answer|e-?mail|mail|message) |any(?:thing)? ){0,6}from ${NAME}|^any(?:thing)? (?:new |news |word |e-?mails? |mails? |messages? ){0,6}from ${NAME}$`,
    ),
    didWrite,
  ],
  [
    re(
      `^what(?:'s| is) (?:the )?(?:e-?mail )?address of ${NAME}|^what(?:'s| is) ${NAME}'s (?:e-?mail )?address|^(?:do you have|give me|tell me|show me) (?:the )?(?:e-?mail )?address of ${NAME}|^(?:give me|tell me) ${NAME}'s (?:e-?mail )?address`,
    ),
    address,
  ],
  [
    re(
      `\\b(?:which|what|show|list|any|find|are there|do i have)\\b.{0,200}\\b${MAILS}\\b.{0,200}\\b(?:wait(?:s|ing)?|need(?:s|ing)?|require|expect)\\b.{0,200}\\b(?:answer|reply|response|me)\\b|^who (?:is |are )?wait(?:s|ing)? for (?:an? |my )?(?:answer|reply|response|me)|^(?:which|what) (?:needs|requires) (?:an? |my )?(?:answer|reply|response)|^(?:which|what) (?:should|do|must) i (?:have to |need to )?(?:answer|reply to)`,
    ),
    waiting,
  ],
  [re(`\\b${MAILS}\\b.{0,200}\\b(?:with|have|has|having) (?:an? |any )?(?:attachments?|files?|attached)`), withFiles],
  [re(`^who(?:'s| is) (?!scheduled|invited|coming|attending|going|booked|in|at|on|the last|next)${NAME}`), who],
  [re("\\bconflicts?\\b|\\boverlap|double.?book"), conflicts],
];

export async function answerQuestion(turn: Turn, message: string): Promise<Reply | null> {
  const text = message
    .replaceAll("’", "'")
    .trim()
    .replace(/^(?:(?:and|so|ok(?:ay)?|hey|hi|please|can you tell me|do you know|tell me)\b[\s,]*)+/i, "")
    .replace(/(?<![\s?.!])[\s?.!]+$/, "");
  for (const [pattern, answer] of ANSWERS) {
    const found = pattern.exec(text);
    const reply = found && (await answer(turn, found, text));
    if (!reply) continue;
    turn.asked = text;
    return reply;
  }
  return null;
}

const nameIn = (found: RegExpExecArray) =>
  found
    .slice(1)
    .find((group) => group !== undefined)
    ?.trim() ?? "";

async function countEmails(turn: Turn, found: RegExpExecArray, message: string): Promise<Reply | null> {
  const asked = askedTime(message.replace(/\bnow\b/gi, ""), turn.clock);
  if (asked) {
    const list = await findEmails(turn, {
      limit: 20,
      since: asked.start.toISOString(),
      until: asked.end.toISOString(),
      ...(/unread|new/i.test(found[0]) && { unread: true }),
    });
    if ("text" in list) return list;
    return {
      text: `${list.more ? "More than 20" : counted(list.mails.length, "email")}${/unread/i.test(found[0]) ? ", unread," : ""} ${asked.label.toLowerCase()}.`,
    };
  }
  requireScopes(turn.ctx, ["emails:read"]);
  const { inbox, starred, archived } = await countBoxes(turn.ctx);
  const kind = found[1]?.trim().toLowerCase();
  if (kind === "starred") return { text: `You have ${counted(starred.count, "starred email")}.` };
  if (kind === "archived") return { text: `You have ${counted(archived.count, "archived email")}.` };
  const unread = inbox.unread === 0 ? "no unread emails" : counted(inbox.unread, "unread email");
  if (kind) return { text: `You have ${unread}.` };
  return {
    text: `You have ${counted(inbox.count, "email")} in your inbox, ${inbox.unread === 0 ? "none" : inbox.unread} unread.`,
  };
}

async function countFrom(turn: Turn, found: RegExpExecArray): Promise<Reply | null> {
  const name = nameIn(found);
  const list = await findEmails(turn, {
    query: `from:"${name}"`,
    anywhere: true,
    limit: 20,
    ...(/unread|new/i.test(found[0]) && { unread: true }),
  });
  if ("text" in list) return list;
  const unread = /unread|new/i.test(found[0]) ? "unread " : "";
  if (list.mails.length === 0) return { text: `You have no ${unread}emails from ${name}.` };
  return {
    text: `You have ${list.more ? "more than 20" : ""}${list.more ? ` ${unread}emails` : counted(list.mails.length, `${unread}email`)} from ${name}.`,
  };
}

async function countTasks(turn: Turn, _: RegExpExecArray, message: string): Promise<Reply | null> {
  const isPlain =
    /^how many (?:open |unfinished )?(?:tasks|to-?dos|reminders|things to do)(?: (?:do i have|are there|are open|are left|left|have i got|are on my list)){0,6}(?: (?:open|left|to do|now|in total|on my list))*$/i.test(
      message,
    );
  if (!isPlain) return listTasks(turn, message.replace(/^how many things/i, "how many tasks"));
  requireScopes(turn.ctx, ["tasks:read"]);
  const [totals] = await selectTaskTotals(turn.ctx);
  const open = (totals?.todo ?? 0) + (totals?.in_progress ?? 0) + (totals?.waiting ?? 0);
  return { text: open === 0 ? "You have no open tasks." : `You have ${counted(open, "open task")}.` };
}

const wroteLine = (turn: Turn, { from, subject, receivedAt }: EmailView) =>
  `${shorten(from, 60)} wrote ${speaker(turn).moment(Date.parse(receivedAt))}: ${shorten(subject) || "(no subject)"}.`;

async function didWrite(turn: Turn, found: RegExpExecArray): Promise<Reply | null> {
  const name = nameIn(found);
  const list = await findEmails(turn, { query: `from:"${name}"`, anywhere: true, limit: 10 });
  if ("text" in list) return list;
  const [latest] = list.mails;
  // The newest email of each person of that name.
  const people = list.mails.filter(
    ({ address }, at) => list.mails.findIndex((each) => each.address === address) === at,
  );
  turn.shown = people.map(({ id, subject }) => ({ kind: "email", id, title: subject }));
  if (people.length > 1)
    return { text: lines(`Yes, ${people.length} people:`, people, (each) => wroteLine(turn, each)) };
  if (/^any/i.test(found[0]) && list.mails.length > 1) {
    turn.shown = list.mails.map(({ id, subject }) => ({ kind: "email", id, title: subject }));
    return { text: lines(`Yes, ${list.mails.length} emails:`, list.mails, (each) => wroteLine(turn, each)) };
  }
  return { text: latest ? `Yes. ${wroteLine(turn, latest)}` : `No, there is no email from ${name}.` };
}

async function address(turn: Turn, found: RegExpExecArray): Promise<Reply | null> {
  const name = nameIn(found);
  const known = await addressesOf(turn.ctx, name);
  // Whoever has written chose how they are called.
  turn.hasReadUntrusted ||= known.length > 0;
  if (known.length === 0) return { text: `I do not know an address of ${name}: no email from ${name} is stored.` };
  if (known.length === 1) return { text: `${name}'s address is ${known[0]}.` };
  return { text: lines(`I know ${known.length} addresses for ${name}:`, known, (each) => each) };
}

/** Of a person only what their emails say is known. */
async function who(turn: Turn, found: RegExpExecArray): Promise<Reply | null> {
  const name = nameIn(found);
  if (/^(?:the|my|this|that|it|in|at|coming|going|waiting|free|there|a|an|on|next|your|you)\b/i.test(name)) return null;
  const list = await findEmails(turn, { query: `from:"${name}"`, anywhere: true, limit: 1 });
  if ("text" in list) return list;
  const [latest] = list.mails;
  if (!latest) return { text: `I do not know ${name}: no email from ${name} is stored.` };
  return { text: `${shorten(latest.from, 60)} writes from ${latest.address}. ${wroteLine(turn, latest)}` };
}

async function waiting(turn: Turn): Promise<Reply | null> {
  const list = await findEmails(turn, { replyNeeded: true, limit: 10 });
  if ("text" in list) return list;
  const { mails, more } = list;
  if (mails.length === 0) return { text: "No email in your inbox waits for your answer." };
  const count = more ? "More than ten emails wait" : counted(mails.length, "email waits", "emails wait");
  return { text: lines(`${count} for your answer:`, mails, emailLine(turn)) };
}

async function withFiles(turn: Turn): Promise<Reply | null> {
  const list = await findEmails(turn, { hasAttachment: true, limit: 10, anywhere: true });
  if ("text" in list) return list;
  if (list.mails.length === 0) return { text: "I found no email with an attachment." };
  return {
    text: lines(
      `${list.more ? "The latest ten" : counted(list.mails.length, "email")} with attachments:`,
      list.mails,
      emailLine(turn),
    ),
  };
}

/** Which events of a day, or of the next week, overlap. A question about a time is answered by who is free then. */
async function conflicts(turn: Turn, _: RegExpExecArray, message: string): Promise<Reply | null> {
  const asked = askedTime(message, turn.clock);
  if ((asked?.isPoint && asked.isClock) || !isQuestion(message)) return null;
  const start = asked?.start ?? turn.ctx.now;
  const end = asked?.end ?? new Date(start.getTime() + 7 * 86_400_000);
  const found = await eventsOf(turn, { start: start.toISOString(), end: end.toISOString() });
  if ("text" in found) return found;
  const busy = found.events.filter((event) => event.busy && !event.allDay);
  const pairs = busy.flatMap((event, at) =>
    busy.slice(at + 1).flatMap((other) => (other.start < event.end && event.start < other.end ? [[event, other]] : [])),
  );
  const when = asked ? asked.label.toLowerCase() : "in the next 7 days";
  if (pairs.length === 0)
    return {
      text: `No, nothing overlaps ${/^(?:today|tomorrow|this|next|in|on)\b/.test(when) ? when : `on ${when}`}.`,
    };
  turn.shown = [...new Set(pairs.flat())].map(({ id, occurrence, title }) => ({
    kind: "event",
    id,
    ...(occurrence && { occurrence }),
    title,
  }));
  return {
    text: lines("Yes, these overlap:", pairs, (pair) =>
      pair.map((event) => (event ? eventLine(turn)(event) : "")).join(" and "),
    ),
  };
}

/** What is known about the task or event that a question names: "when is the parcel due?" Changes nothing. */
export async function tellAbout(turn: Turn, message: string): Promise<Reply | null> {
  const asked = message.replaceAll("’", "'").replace(/(?<![?.!])[?.!]+$/, "");
  const said = withoutPhrases(asked, datesIn(asked, turn.clock)).replace(QUESTION_WORDS, " ");
  const isAboutDone = ASKS_IF_DONE.test(asked);
  // "have I paid the rent" asks about "pay rent".
  const named = isAboutDone ? said.replace(VERBS, " ") : said;
  const words = tellingWords(named).length > 0 ? named : said;
  if (tellingWords(words).length === 0) return null;
  const tasks = await matchingTasks(turn, words);
  const events = await matchingEvents(turn, { match: words.trim() });
  const best = bestMatches(words, [...tasks, ...events], ({ title }) => [title]).slice(0, 5);
  if (best.length === 0) return isAboutDone ? finished(turn, words) : null;
  const shown = best.map((record) => {
    turn.hasReadUntrusted ||= record.outside;
    if ("start" in record) {
      const view = eventView(record);
      const minutes = (Date.parse(view.end) - Date.parse(view.start)) / 60_000;
      const length = minutes % 60 === 0 ? counted(minutes / 60, "hour") : `${minutes} minutes`;
      return {
        line: `${eventLine(turn)(view)}${/^how long\b/i.test(message) && !view.allDay ? `, ${length}` : ""}${/^where\b/i.test(message) && !view.location ? ", no place is given" : ""}`,
        record: {
          kind: "event" as const,
          id: view.id,
          ...(view.occurrence && { occurrence: view.occurrence }),
          title: view.title,
        },
      };
    }
    const state = record.status === "todo" ? "" : `, ${record.status.replace("_", " ")}`;
    return {
      line: `${taskLine(turn)(taskView(record))}${state}`,
      record: { kind: "task" as const, id: record.id, title: record.title },
    };
  });
  turn.shown = shown.map(({ record }) => record);
  const [only] = shown;
  const [task] = best;
  const isDone = shown.length === 1 && task && !("start" in task) && isAboutDone ? task.status === "done" : null;
  const answer = isDone === null ? "" : isDone ? "Yes, that is done: " : "No, that is still open: ";
  const text = shown.length === 1 && only ? `${answer}${only.line}.` : lines("I found:", shown, ({ line }) => line);
  return { text: /^(?:should|shall|must|may)\b/i.test(message) ? `That is for you to decide. ${text}` : text };
}

async function finished(turn: Turn, words: string): Promise<Reply | null> {
  const query = tellingWords(words).join(" OR ");
  const found = await toolResult<{ tasks: TaskView[] }>(turn, "list_tasks", { status: "done", query, limit: 20 });
  if ("text" in found) return found;
  const [task] = bestMatches(words, found.tasks, ({ title }) => [title]);
  return task ? { text: `Yes, that is done: ${shorten(task.title)}.` } : null;
}

const VERBS = new RegExp(`\\b(?:${DONE_VERBS})\\b`, "gi");
/** "is the report done", "have I paid the rent" */
const ASKS_IF_DONE =
  /^(?:(?:and|so|ok|okay)[\s,]+)*(?:(?:is|are|was) .* (?:done|finished|complete|completed)(?: yet| already)?$|(?:have|did) i (?!have|got|get)\b)/i;

const QUESTION_WORDS =
  /\b(?:(?:did|do|does|is|are|was|have|has)n't|should|shall|must|may|might|did|does|do|is|are|was|were|has|have|had|am|will|when|what|where|who|why|which|how|whether|i|i'm|we|you|my|the|a|an|already|yet|due|done|today|tomorrow|now|finished|complete|completed|delete|cancel|move|mark|remove|time|date|day|long|still|there|left|thing|things|open|stay|stays|remain|remains|kept|keeping|staying|exist|exists|next|days|times|dates|weekday|scheduled|planned|happening|finish|end|ends|start|starts|begin|begins|over|last|take|takes|land|leave|again|it|be|to|for|of|at|on|in|work|working|go|going|get|sessions?)\b/gi;
