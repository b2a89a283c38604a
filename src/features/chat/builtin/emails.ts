import { type Asked, askedTime } from "../../../engine/assistant/message-time.ts";
import { counted } from "../../../lib/spoken-time.ts";
import type { MailReading, MailView } from "../tools/emails.ts";
import type { TaskView } from "../tools/tasks.ts";
import type { Turn } from "../turn.ts";
import { type Answer, asResult, lines, mailLine, short, speaker, taskLine, tell } from "./reply-text.ts";

interface MailList {
  count: number;
  mails: MailView[];
}

async function mailsOf(turn: Turn, input: Record<string, unknown>): Promise<MailList | Answer> {
  const outcome = await turn.call("find_mail", input);
  return outcome.status === "done" ? asResult<MailList>(outcome.result) : tell(outcome, () => "");
}

const askedIn = ({ ctx, timeZone }: Turn, message: string) => askedTime(message, { reference: ctx.now, timeZone });
const rangeOf = (asked: Asked | null) =>
  asked ? { since: asked.start.toISOString(), until: asked.end.toISOString() } : {};

/** What may follow a time that says when mail came; "the friday report" goes on with its name. */
const AFTER_TIME =
  /^(?:'s)?(?:[\s?.!,]*$|\s*(?:e-?mails?|mails?|messages?|from|about|regarding|concerning|that|with)\b)/i;

/** When the mail came that is looked for, and the words that name it. */
function wantedMail(turn: Turn, message: string): { query: string; asked: Asked | null } {
  const asked = askedIn(turn, message);
  const at = asked ? message.indexOf(asked.label) : -1;
  if (!asked || at < 0) return { query: queryOf(message), asked: null };
  const behind = message.slice(at + asked.label.length);
  const query = queryOf(`${message.slice(0, at).replace(/\b(?:on|in|at|of|since|during|for)\s*$/i, "")} ${behind}`);
  const isWhen = asked.start <= turn.ctx.now && AFTER_TIME.test(behind);
  return isWhen || !query ? { query, asked } : { query: queryOf(message), asked: null };
}

export async function summariseMail(turn: Turn, message: string): Promise<Answer> {
  const isUnread = /\b(?:unread|new)\b/i.test(message);
  const range = rangeOf(askedIn(turn, message));
  const found = await mailsOf(turn, { limit: 10, ...range, ...(isUnread && { unread: true }) });
  if ("text" in found) return found;
  const { mails } = found;
  if (mails.length === 0)
    return { text: isUnread ? "You have no unread mail." : "There is no mail in your inbox for that." };
  const unread = mails.filter(({ isRead }) => !isRead).length;
  const urgent = mails.filter(({ urgency }) => urgency === "high" || urgency === "critical").length;
  const facts = [`${unread} unread`, ...(urgent > 0 ? [`${urgent} urgent`] : [])].join(", ");
  const title = `Your latest ${counted(mails.length, "mail")}, ${facts}:`;
  return { text: lines(title, mails, mailLine(turn)) };
}

/** The words that name the mail: a sender, a subject. */
function queryOf(message: string): string {
  const text = message.replace(/[?.!]+$/, "").replaceAll("’", "'");
  const quoted = /["“]([^"”]{2,100})["”]/.exec(text)?.[1];
  const behind =
    /\b(?:from|about|regarding|concerning|titled|called|with the subject|mentioning|containing)\s+(.+)$/i.exec(
      text,
    )?.[1];
  const words = quoted ?? behind ?? "";
  return words
    .replace(
      /\b(?:and|about|regarding|that|which|today|yesterday|this week|last week|into|to|as|tasks?|e-?mails?|mails?|inbox|my|the|a|an|please|from|me|latest|last|newest|most|recent)\b/gi,
      " ",
    )
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 100);
}

export async function findMail(turn: Turn, message: string): Promise<Answer> {
  const { query, asked } = wantedMail(turn, message);
  const isOne = /\b(?:read|open|what does|what did)\b/i.test(message) && !/\b(?:e-?mails|mails)\b/i.test(message);
  const isUnread = /\bunread\b/i.test(message);
  const found = await mailsOf(turn, {
    limit: isOne ? 1 : 10,
    ...(query && { query }),
    ...rangeOf(asked),
    ...(isUnread && { unread: true }),
  });
  if ("text" in found) return found;
  const { mails } = found;
  const [first] = mails;
  if (!first) return { text: query ? `I found no mail that fits “${query}”.` : "I found no mail for that." };
  if (isOne) return readMail(turn, first.id);
  return {
    text: lines(
      `I found ${counted(mails.length, "mail")}${query ? ` that fit “${query}”` : ""}:`,
      mails,
      mailLine(turn),
    ),
  };
}

async function readMail(turn: Turn, id: number): Promise<Answer> {
  return tell<MailReading>(await turn.call("read_mail", { id }), (mail) => {
    const { moment } = speaker(turn);
    const asks = mail.actionItems.map(({ text }) => `- ${short(text)}`);
    return [
      `${short(mail.from, 80)} wrote ${moment(Date.parse(mail.receivedAt))}: ${short(mail.subject) || "(no subject)"}`,
      short(mail.body, 1500),
      ...(asks.length > 0 ? [["It asks for:", ...asks].join("\n")] : []),
    ].join("\n\n");
  });
}

/** What a mail asks for, as proposals: its words were read, so the person has the last one. */
export async function tasksFromMail(turn: Turn, message: string): Promise<Answer> {
  const query = queryOf(message);
  const found = await mailsOf(turn, { limit: 1, ...(query && { query }) });
  if ("text" in found) return found;
  const [mail] = found.mails;
  if (!mail) return { text: query ? `I found no mail that fits “${query}”.` : "There is no mail in your inbox." };
  const outcome = await turn.call("read_mail", { id: mail.id });
  if (outcome.status !== "done") return tell(outcome, () => "");
  const { actionItems, subject, from } = asResult<MailReading>(outcome.result);
  const proposed: string[] = [];
  for (const { text, dueAt } of actionItems) {
    const input = { title: short(text, 300), description: `From the mail “${short(subject)}” of ${short(from, 80)}.` };
    const made = await turn.call("create_task", { ...input, ...(dueAt && { dueAt }) });
    if (made.status === "refused") return { text: made.message };
    proposed.push(input.title);
  }
  const name = `“${short(subject) || "(no subject)"}” from ${short(from, 60)}`;
  if (proposed.length === 0) return { text: `I found nothing that ${name} asks you to do.` };
  const each =
    proposed.length === 1 ? "a task for it; apply it if you want it" : "a task for each; apply those you want";
  const title = `The mail ${name} asks for ${counted(proposed.length, "thing")}. I have proposed ${each}:`;
  return { text: lines(title, proposed, (text) => text) };
}

/** Whatever cannot wait: urgent mail that is unread, tasks that are late or urgent. */
export async function needsAttention(turn: Turn): Promise<Answer> {
  const parts: string[] = [];
  const refusals: string[] = [];
  const mail = await mailsOf(turn, { urgent: true, limit: 10 });
  if ("text" in mail) refusals.push(mail.text);
  else if (mail.count > 0) {
    parts.push(
      lines(`${counted(mail.count, "urgent mail is", "urgent mails are")} unread:`, mail.mails, mailLine(turn)),
    );
  }
  const seen = new Set<number>();
  for (const [title, input] of [
    ["Overdue tasks:", { overdue: true }],
    ["Urgent tasks:", { priority: "urgent" }],
    ["Tasks of high priority:", { priority: "high" }],
  ] as const) {
    const outcome = await turn.call("list_tasks", { ...input, limit: 10 });
    if (outcome.status !== "done") {
      refusals.push(tell(outcome, () => "").text);
      continue;
    }
    const tasks = asResult<{ tasks: TaskView[] }>(outcome.result).tasks.filter(({ id }) => !seen.has(id));
    for (const { id } of tasks) seen.add(id);
    if (tasks.length > 0) parts.push(lines(title, tasks, taskLine(turn)));
  }
  const said = [...parts, ...new Set(refusals)];
  return {
    text: said.length > 0 ? said.join("\n\n") : "Nothing is urgent: no urgent mail is unread, and no task is overdue.",
  };
}
