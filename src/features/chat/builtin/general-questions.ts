import type { ChatRecord } from "../../../db/schema/chat.ts";
import { askedTime } from "../../../engine/notes/message-time.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { getTask } from "../../tasks/service.ts";
import type { EmailView } from "../../tools/emails.ts";
import { tellingWords } from "../../tools/language/name-match.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import { readNounPhrase } from "../language/follow-ups/noun-phrase.ts";
import { doWith } from "./deeds.ts";
import { findEmails, readEmail, summariseEmails } from "./emails.ts";
import { eventsOf } from "./events.ts";
import { emailsNamed, recordsMentioned } from "./find-named.ts";
import { tellAbout } from "./questions.ts";
import { emailLine, eventLine, lines, type Reply, taskLine, toolResult } from "./reply-text.ts";
import { mayRead } from "./scopes.ts";

type Answer = (turn: Turn, groups: Record<string, string | undefined>, text: string) => Promise<Reply | null>;

const PERSON =
  "(?<name>(?!(?:i|you|we|it|they|he|she|that|this|there|the|my|anyone|anybody|someone|somebody|who|what|how|when|where|which|why|much|many|and|so|or)\\b)\\p{L}[\\p{L}'-]{0,40}(?: \\p{Lu}[\\p{L}'-]{0,40})?)";
const SAY =
  "(?:say|said|write|wrote|written|mention|mentioned|tell|ask|asked|send|sent|want|wanted|think|need|reply|replied|respond|responded|answer|answered|e-?mailed|been in touch|get back to|got back to|gotten back to)";
const re = (source: string) => new RegExp(`^(?:${source})$`, "iu");

/** Questions by what they ask for. Those before have readers of their own. */
const ANSWERS: readonly [RegExp, Answer][] = [
  [
    re(
      "(?:what|anything|any ?one|who|something)(?:'s| is)? else(?: (?:is there|do i have|have i got|is on there|on there|in there|is left|left|is open|open|is due|due|now|to do|came in|wrote|is on|is in there|on it)){0,6}|any(?: |thing )(?:others?|more)(?: ones?)?|is that (?:all|everything|it|the lot)(?: of (?:it|them))?|are there (?:any )?(?:more|others)(?: ones?)?|that's (?:all|everything|it)\\?",
    ),
    whatElse,
  ],
  [
    re(
      "(?:is there |have i got |do i have |got )?any(?:thing)? new(?: (?:in|today|for me|in there|in my inbox|this morning|here|come in|arrived|mail|e-?mails?|messages?|post)){0,6}|(?:what|anything)(?:'s| is| has)? (?:new|come in|came in|arrived|landed)(?: (?:in )?(?:today|for me|in my inbox|this morning|since .{0,200}|lately|overnight)){0,6}|(?:did )?(?:i get |have i got )?(?:any|new) (?:mail|e-?mails?|messages?|post)(?: today| in)?|(?:is|has) (?:there )?anything (?:come|came|arrived|new)(?: in)?(?: today)?|what did i miss",
    ),
    newEmails,
  ],
  [
    re(
      "(?:is there |have i got |do i have |got |was there )?(?:anything|something|much) (?:interesting|good|exciting|relevant|worth (?:reading|knowing)|of interest|special)(?: (?:in|among|for) (?:my |the )?(?:inbox|mail|mails|e-?mails?|me|today)){0,6}",
    ),
    (turn) => summariseEmails(turn, "my emails"),
  ],
  [
    re(
      "(?:is |are |do i have |have i got |got )?(?:there )?any(?:thing|one|body)?(?: else| other)?(?: (?:e-?mails?|mails?|messages?))?(?: (?:that's|that is|which is|still)){0,6}(?: is)? (?<state>unread|starred|unanswered|new)(?: (?:left|now|then|in there|e-?mails?|mails?|messages?)){0,6}|(?:what|which)(?:'s| is| are)?(?: one| ones| e-?mails?| of (?:them|these|those))?(?: is| are)?(?: still)? (?<state2>unread|starred)(?: (?:now|then))?",
    ),
    withState,
  ],
  [
    re(
      `who(?: else)?(?:'s| is| was| has)? (?:asked|asks|asking|wrote|written|writing|emailed|mentioned|mentions|said|says|wants?|wanted|needs?|needed|sent|sends|talked|talking|complain(?:s|ed|ing)|going on|on)(?: me| us| something| anything| an? \\p{L}+)?(?: (?:about|for|regarding|on|in|to know about))? (?:the |my |our |an? )?(?<about>.+)`,
    ),
    whoAsked,
  ],
  [
    re(
      `(?:and |so )?${PERSON},? (?:did|has|does|what did|what does|what has) (?:he|she|they) (?:also |even |ever )?${SAY}(?: (?:to )?me)?(?: (?:something|anything|much))?(?: (?:about|on|regarding|for) (?<about>.+))?`,
    ),
    saidBy,
  ],
  [
    re(
      `(?:and |so )?(?:did|has|does|what did|what does|what has|what(?:'s| is)) ${PERSON} (?:also |even |ever |been )?(?:${SAY}|saying|asking|wanting|after|on about|writing)(?: (?:to )?me| for| from me)?(?: (?:something|anything|much))?(?: (?:about|on|regarding|for) (?<about>.+))?`,
    ),
    saidBy,
  ],
  [
    re(
      "(?:so |and )?(?:am i|are we) (?:all )?(?:done|finished|through|good|set)(?: (?:for|with))?(?: everything(?: for)?)?(?: (?:today|the day|now|tonight|here))?(?: then)?|is (?:everything|it all|that all|all of it) (?:done|finished)(?: (?:for )?today)?|(?:is |do i have |have i got )?anything (?:still )?(?:left|open|outstanding|to do|pending)(?: (?:to do|for|on|today|now|then|the day|my list)){0,6}|what(?:'s| is) (?:still )?(?:missing|to do|to be done|open|left)(?: for)? today|do i (?:still )?(?:have|need) to do anything(?: (?:today|else|now)){0,6}",
    ),
    leftForToday,
  ],
  [
    re(
      "how many (?:of (?:them|these|those|(?:her|his|their|the|my) (?:things|tasks|ones|points|items)))(?: are| do i have| have i)?(?: still| already)?(?: left to)? (?<state>open|left|outstanding|to do|done|finished|undone|to go|unfinished)",
    ),
    countOfThese,
  ],
];

const TAG = /[,.]? (?:right|yes|correct|yeah|no|isn't it|is it|ok|okay|then|though)\s*\?+$/i;

/** Answers a question that no other reader knows by what it asks for. Changes nothing. */
export async function answerGenerally(turn: Turn, message: string): Promise<Reply | null> {
  const isTagged = TAG.test(message);
  const text = message
    .replaceAll("’", "'")
    .trim()
    .replace(TAG, "")
    .replace(/(?<![\s?.!])[\s?.!]+$/, "")
    .replace(/^(?:(?:and|so|ok(?:ay)?|hey|hi|well|but|then)\b[\s,]*)+(?=\S)/i, "");
  for (const [pattern, answer] of ANSWERS) {
    const found = pattern.exec(text);
    const reply = found && (await answer(turn, found.groups ?? {}, text));
    if (reply) return reply;
  }
  if (isTagged && !isQuestion(message)) return tellAbout(turn, text);
  return isQuestion(message) ? findAnywhere(turn, text) : null;
}

const recordOf = ({ id, subject }: EmailView): ChatRecord => ({ kind: "email", id, title: subject });

/** What has not been named yet, of the kind that the conversation is about. */
async function whatElse(turn: Turn): Promise<Reply | null> {
  const [latest = []] = turn.state.groups;
  const kind = latest[0]?.kind;
  const seen = (each: ChatRecord["kind"], id: number) =>
    latest.some((record) => record.kind === each && record.id === id);
  if (kind === "email") {
    const found = await findEmails(turn, { limit: 10 });
    if ("text" in found) return found;
    const others = found.mails.filter(({ id }) => !seen("email", id));
    turn.shown = others.map(recordOf);
    if (others.length === 0) return { text: "Nothing else: there are no other emails in your inbox." };
    return { text: lines(`${counted(others.length, "other email")} in your inbox:`, others, emailLine(turn)) };
  }
  const tasks = await toolResult<{ tasks: TaskView[] }>(turn, "list_tasks", { status: "open", limit: 50 });
  if ("text" in tasks) return tasks;
  const open = tasks.tasks.filter(({ id }) => !seen("task", id));
  const parts: string[] = [];
  const shown = open.map(({ id, title }): ChatRecord => ({ kind: "task", id, title }));
  if (open.length > 0)
    parts.push(
      lines(`${counted(open.length, kind === "task" ? "other open task" : "open task")}:`, open, taskLine(turn)),
    );
  if (kind !== "task" && mayRead(turn, "calendar:read")) {
    const { now } = turn.ctx;
    const events = await eventsOf(turn, {
      start: now.toISOString(),
      end: new Date(now.getTime() + 7 * 86_400_000).toISOString(),
    });
    if (!("text" in events)) {
      const ahead = events.events.filter(({ id }) => !seen("event", id));
      if (ahead.length > 0) parts.push(lines("In your calendar in the next 7 days:", ahead, eventLine(turn)));
      shown.push(
        ...ahead.map(
          ({ id, occurrence, title }): ChatRecord => ({ kind: "event", id, ...(occurrence && { occurrence }), title }),
        ),
      );
    }
  }
  turn.shown = shown;
  return { text: parts.join("\n\n") || "Nothing else, that is all." };
}

/** "anything else unread?" */
async function withState(turn: Turn, { state, state2 }: Record<string, string | undefined>): Promise<Reply | null> {
  const word = (state ?? state2 ?? "").toLowerCase();
  const filter =
    word === "starred" ? { starred: true } : word === "unanswered" ? { replyNeeded: true } : { unread: true };
  const found = await findEmails(turn, { limit: 10, ...filter });
  if ("text" in found) return found;
  if (found.mails.length === 0) return { text: `No, there are no ${word} emails in your inbox.` };
  turn.shown = found.mails.map(recordOf);
  return { text: lines(`${counted(found.mails.length, `${word} email`)}:`, found.mails, emailLine(turn)) };
}

function newEmails(turn: Turn, _: unknown, text: string): Promise<Reply> {
  return summariseEmails(turn, `unread emails ${askedTime(text, turn.clock)?.label ?? ""}`);
}

/** Emails that have the words: in the subject or the sender first, otherwise in the text. */
async function emailsAbout(turn: Turn, words: string, sender = ""): Promise<EmailView[]> {
  if (!mayRead(turn, "emails:read")) return [];
  const found = await emailsNamed(turn, { ...readNounPhrase(words), kind: "email", ...(sender && { sender }) });
  if (found.length === 0) return [];
  const ids = new Set(found.map(({ id }) => id));
  const list = await findEmails(turn, { limit: 20, anywhere: true, ...(sender && { query: `from:"${sender}"` }) });
  return "text" in list ? [] : list.mails.filter(({ id }) => ids.has(id));
}

async function showEmails(turn: Turn, emails: readonly EmailView[], lead = ""): Promise<Reply | null> {
  const [only, ...others] = emails;
  if (!only) return null;
  turn.shown = emails.map(recordOf);
  if (others.length > 0) return { text: lines(`${lead}I found ${emails.length} emails:`, emails, emailLine(turn)) };
  const read = await readEmail(turn, only.id);
  turn.shown = [recordOf(only)];
  return { ...read, text: `${lead}${read.text}` };
}

async function whoAsked(turn: Turn, { about = "" }: Record<string, string | undefined>): Promise<Reply | null> {
  if (tellingWords(about).length === 0) return null;
  const emails = await emailsAbout(turn, about);
  return (await showEmails(turn, emails)) ?? { text: `I found no email about “${about}”.` };
}

async function saidBy(
  turn: Turn,
  { name = "", about = "" }: Record<string, string | undefined>,
): Promise<Reply | null> {
  const topic = tellingWords(about).length > 0 ? about : "";
  const emails = await emailsAbout(turn, topic, name);
  return (
    (await showEmails(turn, emails)) ?? {
      text: topic ? `I found no email from ${name} about “${topic}”.` : `There is no email from ${name}.`,
    }
  );
}

/** What is still to be done today: tasks that are due and events that are ahead. */
async function leftForToday(turn: Turn): Promise<Reply | null> {
  const day = askedTime("today", turn.clock);
  if (!day) return null;
  const tasks = await toolResult<{ tasks: TaskView[] }>(turn, "list_tasks", {
    dueBefore: day.end.toISOString(),
    limit: 20,
  });
  if ("text" in tasks) return tasks;
  const events = mayRead(turn, "calendar:read")
    ? await eventsOf(turn, { start: turn.ctx.now.toISOString(), end: day.end.toISOString() })
    : { events: [] };
  const ahead = "text" in events ? [] : events.events;
  const parts = [
    ...(tasks.tasks.length > 0
      ? [
          lines(
            `${counted(tasks.tasks.length, "task is", "tasks are")} still open for today:`,
            tasks.tasks,
            taskLine(turn),
          ),
        ]
      : []),
    ...(ahead.length > 0 ? [lines("Still in your calendar today:", ahead, eventLine(turn))] : []),
  ];
  turn.shown = [
    ...tasks.tasks.map(({ id, title }): ChatRecord => ({ kind: "task", id, title })),
    ...ahead.map(
      ({ id, occurrence, title }): ChatRecord => ({ kind: "event", id, ...(occurrence && { occurrence }), title }),
    ),
  ];
  return {
    text:
      parts.length > 0
        ? `Not yet. ${parts.join("\n\n")}`
        : "Nothing is left for today: no task is due and your calendar is clear.",
  };
}

/** Of the tasks that this conversation was about. */
async function countOfThese(turn: Turn, { state = "" }: Record<string, string | undefined>): Promise<Reply | null> {
  const list = turn.state.groups
    .filter((group) => group.length > 1)
    .find((group) => group.every(({ kind }) => kind === "task"));
  if (!list || !mayRead(turn, "tasks:read")) return null;
  const tasks: Awaited<ReturnType<typeof getTask>>[] = [];
  for (const { id } of list) tasks.push(await getTask(turn.ctx, id));
  const isDone = /^(?:done|finished)$/i.test(state);
  const fitting = tasks.filter(({ status }) => (status === "done") === isDone && status !== "cancelled");
  turn.hasReadUntrusted ||= tasks.some(({ outside }) => outside);
  turn.shown = fitting.map(({ id, title }) => ({ kind: "task", id, title }));
  const count = `${fitting.length === 0 ? "None" : fitting.length} of ${list.length} ${fitting.length === 1 ? "is" : "are"} ${isDone ? "done" : "open"}`;
  return { text: fitting.length === 0 ? `${count}.` : lines(`${count}:`, fitting, ({ title }) => title) };
}

const EMPTY =
  /\b(?:did|does|do|is|are|was|were|has|have|had|will|would|can|could|should|what|when|where|who|whose|why|which|how|much|many|long|often|any|anything|something|someone|anyone|say|said|says|mean|means|tell|told|ask|asked|write|wrote|know|i|me|my|you|your|he|she|they|we|us|it|its|the|a|an|of|to|for|on|at|in|by|with|about|from|again|exactly|actually|really|still|yet|already|now|today|cost|costs|need|needs|want|wants|have|got|get|there|email|emails|mail|message)\b/gi;

/** What no record of a person tells. */
const NOT_STORED =
  /\b(?:weather|forecast|rain|temperature|traffic|news|capital|president|recipe|translate|meaning|score|stock|joke|distance|population|should i|would you|do you)\b/i;

/** A question about something that an email says: it is shown. */
async function findAnywhere(turn: Turn, text: string): Promise<Reply | null> {
  const words = text.replace(EMPTY, " ").replace(/\s+/g, " ").trim();
  const told = (await tellAbout(turn, text)) ?? (tellingWords(words).length > 0 ? await tellAbout(turn, words) : null);
  if (told) return told;
  const [[record, ...others] = []] = turn.state.groups;
  if (tellingWords(words).length > 0) {
    const emails = await emailsAbout(turn, words);
    const reply = emails.length <= 3 ? await showEmails(turn, emails) : null;
    if (reply) return reply;
  }
  const mentioned = NOT_STORED.test(text) ? [] : await recordsMentioned(turn, words, ["event", "task", "email"]);
  if (mentioned.length === 1) return doWith(turn, { kind: "tell" }, mentioned);
  // "How much is it?", after an email: what it says is the answer.
  const isAboutIt = /\b(?:it|that|this|he|she|they|his|her|their)\b/i.test(text) && tellingWords(words).length <= 2;
  return isAboutIt && record?.kind === "email" && others.length === 0 ? readEmail(turn, record.id) : null;
}
