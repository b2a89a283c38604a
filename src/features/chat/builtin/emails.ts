import { parseDueText } from "../../../engine/due-date.ts";
import { type Asked, askedTime } from "../../../engine/notes/message-time.ts";
import { dueOfMoment } from "../../../lib/due.ts";
import { counted } from "../../../lib/spoken-time.ts";
import type { EmailDetails, EmailView } from "../../tools/emails.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { askedThings } from "../language/errands/asked-things.ts";
import { emailLine, lines, type Reply, replyFor, shorten, speaker, taskLine, toolResult } from "./reply-text.ts";

export const findEmails = (turn: Turn, input: Record<string, unknown>) =>
  toolResult<{ count: number; more: boolean; mails: EmailView[] }>(turn, "find_mail", input);

const askedIn = (turn: Turn, message: string) => askedTime(message, turn.clock);
const rangeOf = (asked: Asked | null) =>
  asked ? { since: asked.start.toISOString(), until: asked.end.toISOString() } : {};

/** Text after a time that says when the email arrived. In "the friday report" the time is part of the name. */
const AFTER_TIME =
  /^(?:'s)?(?:[\s?.!,]*$|\s*(?:e-?mails?|mails?|messages?|from|about|regarding|concerning|that|with)\b)/i;

/** The words that name the email, and when it arrived. */
function emailFilter(turn: Turn, message: string): { query: string; asked: Asked | null } {
  const asked = askedIn(turn, message);
  const at = asked ? message.indexOf(asked.label) : -1;
  if (!asked || at < 0) return { query: queryOf(message), asked: null };
  const behind = message.slice(at + asked.label.length);
  const query = queryOf(`${message.slice(0, at).replace(/\b(?:on|in|at|of|since|during|for)\s*$/i, "")} ${behind}`);
  const isWhen = asked.start <= turn.ctx.now && AFTER_TIME.test(behind);
  return isWhen || !query ? { query, asked } : { query: queryOf(message), asked: null };
}

export async function summariseEmails(turn: Turn, message: string): Promise<Reply> {
  const isUnread = /\b(?:unread|new)\b/i.test(message);
  const range = rangeOf(askedIn(turn, message));
  const found = await findEmails(turn, { limit: 10, ...range, ...(isUnread && { unread: true }) });
  if ("text" in found) return found;
  const { mails } = found;
  if (mails.length === 0) {
    return { text: isUnread ? "You have no unread emails." : "There are no such emails in your inbox." };
  }
  const unread = mails.filter(({ isRead }) => !isRead).length;
  const urgent = mails.filter(({ urgency }) => urgency === "high" || urgency === "critical").length;
  const facts = [`${unread} unread`, ...(urgent > 0 ? [`${urgent} urgent`] : [])].join(", ");
  const title = `Your latest ${counted(mails.length, "email")}, ${facts}:`;
  return { text: lines(title, mails, emailLine(turn)) };
}

/** The words that name the email: a sender or a subject. */
function queryOf(message: string): string {
  const text = message.replace(/(?<![?.!])[?.!]+$/, "").replaceAll("’", "'");
  const quoted = /["“]([^"”]{2,100})["”]/.exec(text)?.[1];
  const behind =
    /\b(?:from|about|regarding|concerning|titled|called|with the subject|mentioning|containing)\s{1,9}(.{1,200})$/i.exec(
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

export async function searchEmails(turn: Turn, message: string): Promise<Reply> {
  const { query, asked } = emailFilter(turn, message);
  const isOne = /\b(?:read|open|what does|what did)\b/i.test(message) && !/\b(?:e-?mails|mails)\b/i.test(message);
  const isUnread = /\bunread\b/i.test(message);
  const found = await findEmails(turn, {
    limit: isOne ? 1 : 10,
    ...(query && { query }),
    ...rangeOf(asked),
    ...(isUnread && { unread: true }),
  });
  if ("text" in found) return found;
  const { mails } = found;
  const [first] = mails;
  if (!first) return { text: query || asked || isUnread ? nothingFound(query) : "You have no emails." };
  if (isOne) return readEmail(turn, first.id);
  const title = `I found ${counted(mails.length, "email")}${query ? ` matching “${query}”` : ""}:`;
  return { text: lines(title, mails, emailLine(turn)) };
}

function nothingFound(query: string): string {
  return query ? `I found no email matching “${query}”.` : "I found no such email.";
}

export async function readEmail(turn: Turn, id: number): Promise<Reply> {
  return replyFor<EmailDetails>(await turn.call("read_mail", { id }), (email) => {
    const { moment } = speaker(turn);
    const asks = email.actionItems.map(({ text }) => `- ${shorten(text)}`);
    return [
      `${shorten(email.from, 80)} wrote ${moment(Date.parse(email.receivedAt))}: ${shorten(email.subject) || "(no subject)"}`,
      shorten(email.body, 1500),
      ...(asks.length > 0 ? [["It asks for:", ...asks].join("\n")] : []),
    ].join("\n\n");
  });
}

export async function tasksFromEmail(turn: Turn, message: string): Promise<Reply> {
  const query = queryOf(message);
  const found = await findEmails(turn, { limit: 1, ...(query && { query }) });
  if ("text" in found) return found;
  const [latest] = found.mails;
  return latest ? tasksOfEmail(turn, latest.id) : { text: nothingFound(query) };
}

type Item = Pick<EmailDetails["actionItems"][number], "text" | "quote" | "dueAt">;

/** "Send the plan and share the docs" are two tasks. The first keeps the whole quote: by it, they are known as added. */
function eachThing({ clock, timeZone }: Turn, item: Item): Item[] {
  const things = askedThings(item.quote, clock);
  if (things.length === 0) return [item];
  const isDated = things.some(({ due }) => due !== "");
  return things.map(({ text, quote, due }, at) => {
    const date = due === "" ? null : parseDueText(due, clock);
    return {
      text,
      quote: at === 0 ? item.quote : quote,
      dueAt: date ? (dueOfMoment(date, timeZone).dueDate ?? date.toISOString()) : isDated ? null : item.dueAt,
    };
  });
}

/** The tasks are proposed, because the text of the email has been read. */
export async function tasksOfEmail(turn: Turn, id: number): Promise<Reply> {
  const email = await toolResult<EmailDetails>(turn, "read_mail", { id });
  if ("text" in email) return email;
  const { actionItems, subject, from } = email;
  const proposed: string[] = [];
  const open = actionItems.filter(({ hasTask }) => !hasTask).flatMap((item) => eachThing(turn, item));
  for (const { text, quote, dueAt } of open) {
    const input = {
      title: shorten(text, 300),
      description: `From the email “${shorten(subject)}” by ${shorten(from, 80)}.`,
      emailId: id,
      quote,
    };
    const made = await turn.call("create_task", { ...input, ...(dueAt && { dueAt }) });
    if (made.status === "refused") return { text: made.message };
    proposed.push(input.title);
  }
  const name = `“${shorten(subject) || "(no subject)"}” from ${shorten(from, 60)}`;
  if (proposed.length === 0 && actionItems.length > 0) {
    return { text: `What the email ${name} asks for is already in your tasks.` };
  }
  if (proposed.length === 0) return { text: `I found no tasks in ${name}.` };
  const each =
    proposed.length === 1
      ? "a task for it. Say yes to add it"
      : "a task for each. Say “all of them”, “the first two” or “no”";
  const title = `The email ${name} asks for ${counted(proposed.length, "thing")}. I have proposed ${each}:`;
  return { text: lines(title, proposed, (text) => text) };
}

export async function needsAttention(turn: Turn): Promise<Reply> {
  const parts: string[] = [];
  const refusals: string[] = [];
  const emails = await findEmails(turn, { urgent: true, limit: 10 });
  if ("text" in emails) refusals.push(emails.text);
  else if (emails.count > 0) {
    const title = `${counted(emails.count, "urgent email is", "urgent emails are")} unread:`;
    parts.push(lines(title, emails.mails, emailLine(turn)));
  }
  const seen = new Set<number>();
  for (const [title, input] of [
    ["Overdue tasks:", { overdue: true }],
    ["Urgent tasks:", { priority: "urgent" }],
    ["High-priority tasks:", { priority: "high" }],
  ] as const) {
    const found = await toolResult<{ tasks: TaskView[] }>(turn, "list_tasks", { ...input, limit: 10 });
    if ("text" in found) {
      refusals.push(found.text);
      continue;
    }
    const tasks = found.tasks.filter(({ id }) => !seen.has(id));
    for (const { id } of tasks) seen.add(id);
    if (tasks.length > 0) parts.push(lines(title, tasks, taskLine(turn)));
  }
  const said = [...parts, ...new Set(refusals)];
  return {
    text:
      said.length > 0 ? said.join("\n\n") : "Nothing is urgent: you have no unread urgent emails and no overdue tasks.",
  };
}
