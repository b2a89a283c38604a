import { requireScopes } from "../../../context.ts";
import type { ChatRecord } from "../../../db/schema/chat.ts";
import { snoozeTime } from "../../../engine/snooze-time.ts";
import { assertType } from "../../../lib/cast.ts";
import { getDraft } from "../../emails/drafts/service.ts";
import { emailOf } from "../../emails/sending/recipients.ts";
import { getEmail } from "../../emails/service.ts";
import { addressesOf } from "../../tools/addresses.ts";
import type { DraftView } from "../../tools/email-writing.ts";
import type { EmailDetails } from "../../tools/emails.ts";
import type { Turn } from "../../tools/turn.ts";
import type { Deed } from "../language/follow-ups/act.ts";
import { peopleIn } from "../language/follow-ups/amendment.ts";
import { readEmailCommand, readNewEmail } from "../language/follow-ups/email-command.ts";
import { findEmails, readEmail, tasksOfEmail } from "./emails.ts";
import { type Reply, replyFor, shorten, speaker, toolResult } from "./reply-text.ts";

/** The input that names the email: by its id, or by words. */
type Which = { id: number } | { match: string; latest?: true };

const whichOf = (record: ChatRecord): Which => ({ id: record.id });

/** Does something with an email or a draft that the conversation is about. */
export async function emailDeed(turn: Turn, deed: Deed, record: ChatRecord): Promise<Reply | null> {
  if (record.kind === "draft") return draftDeed(turn, deed, record);
  return withEmail(turn, deed, whichOf(record), record.title);
}

/** "archive the email from Ann", "reply to Bob that …"; null if the message is no such command. */
export async function emailCommand(turn: Turn, message: string): Promise<Reply | null> {
  const written = readNewEmail(message);
  if (written) return newEmail(turn, written);
  const command = readEmailCommand(message);
  if (!command) return null;
  const { deed, match, isLatest } = command;
  const isReading = deed.kind === "read" || deed.kind === "summarise";
  const isAll = command.isAll || /\b(?:e-?mails|mails|messages|newsletters)\b/i.test(message);
  if ((!match && !isLatest && !isAll) || (isReading && isAll)) return null;
  if (isAll) return forAll(turn, deed, match);
  const query = match || "is:received";
  if (deed.kind !== "read" && deed.kind !== "summarise" && deed.kind !== "tasks") {
    return withEmail(turn, deed, { match: query, ...(isLatest && { latest: true as const }) }, "");
  }
  const found = await findEmails(turn, { limit: 6, anywhere: true, ...(match && { query: match }) });
  if ("text" in found) return found;
  const [first, ...others] = found.mails;
  if (!first) return { text: match ? `I found no email matching “${plain(match)}”.` : "There are no emails." };
  // The newest of one sender is meant; of two people of that name, only the person knows which.
  const isOne = isLatest || others.every(({ address }) => address === first.address);
  if (!isOne) {
    const options = found.mails.map(({ id, from, subject }) => ({
      label: `${shorten(from, 60)}: ${shorten(subject) || "(no subject)"}`,
      tool: "read_mail",
      input: { id },
    }));
    const text = [
      `More than one email matches “${plain(match)}”.`,
      ...options.map(({ label }, at) => `${at + 1}. ${label}`),
      "Which one do you mean?",
    ];
    return { text: text.join("\n"), question: { kind: "which", options } };
  }
  turn.shown = [{ kind: "email", id: first.id, title: first.subject }];
  return withEmail(turn, deed, { id: first.id }, first.subject);
}

const plain = (match: string) => match.replace(/\bfrom:/g, "").replaceAll('"', "");

async function withEmail(turn: Turn, deed: Deed, which: Which, title: string): Promise<Reply | null> {
  switch (deed.kind) {
    case "flag":
      return change(turn, which, deed.changes, title);
    case "tag":
      return change(turn, which, { addTags: [tagOf(deed.tag)] }, title);
    case "untag":
      return "id" in which ? untag(turn, which.id, deed.tag, title) : null;
    case "snooze":
      return snooze(turn, which, deed.until, title);
    case "remove":
      return change(turn, which, { status: "trash" }, title);
    case "unsubscribe":
      return unsubscribe(turn, which);
    case "reply":
      return draft(turn, "id" in which ? { replyTo: which.id } : { ...matchOf(which), kind: "reply" }, deed.text);
    case "forward":
      return forward(turn, which, deed);
    case "read":
      return "id" in which ? readEmail(turn, which.id) : null;
    case "summarise":
      return "id" in which ? summary(turn, which.id) : null;
    case "tasks":
      return "id" in which ? tasksOfEmail(turn, which.id) : null;
    default:
      return null;
  }
}

export async function unsubscribe(turn: Turn, which: object): Promise<Reply> {
  return replyFor(await turn.call("unsubscribe", which), () => "Done: the mailing list was asked to take you off.");
}

const matchOf = (which: Which) => ("match" in which ? { match: which.match } : {});
export const tagOf = (words: string) =>
  words
    .toLowerCase()
    .replace(/^["“#]+|(?<!["”.])["”.]+$/g, "")
    .trim()
    .slice(0, 50);

/** Without this tag, or without any. */
export const withoutTag = (tags: readonly string[], tag: string) =>
  tag.trim() === "" ? tags.filter((each) => each === "me") : tags.filter((each) => each !== tagOf(tag));

async function untag(turn: Turn, id: number, tag: string, title: string): Promise<Reply> {
  const { tags } = await getEmail(turn.ctx, id);
  const outcome = await turn.call("update_mail", { id, tags: withoutTag(tags, tag) });
  return replyFor(outcome, () => `${tag ? `Tag ${tagOf(tag)}` : "Tags"} removed${title ? `: ${shorten(title)}` : ""}.`);
}

const DONE: Record<string, string> = {
  isRead_true: "Marked as read",
  isRead_false: "Marked as unread",
  isStarred_true: "Starred",
  isStarred_false: "Star removed",
  status_archived: "Archived",
  status_inbox: "Moved to the inbox",
  status_spam: "Moved to spam",
  status_trash: "Moved to the trash",
  replyNeeded_true: "Marked as waiting for your answer",
  replyNeeded_false: "Marked as needing no answer",
};

export async function change(
  turn: Turn,
  which: Which,
  changes: Record<string, unknown>,
  title: string,
): Promise<Reply> {
  return replyFor<{ id: number; snoozedUntil: string | null }>(
    await turn.call("update_mail", { ...which, ...changes }),
    (email) => {
      const known =
        title || turn.state.groups.flat().find((each) => each.kind === "email" && each.id === email.id)?.title;
      const name = known ? `: ${shorten(known)}` : "";
      const { moment } = speaker(turn);
      if ("addTags" in changes) return `Tagged as ${[changes.addTags].flat().join(", ")}${name}.`;
      if ("snoozedUntil" in changes && email.snoozedUntil) {
        return `Snoozed until ${moment(Date.parse(email.snoozedUntil))}${name}.`;
      }
      const [what] = Object.entries(changes).map(([key, value]) => DONE[`${key}_${value}`]);
      return `${what ?? "Changed"}${name}.`;
    },
  );
}

async function snooze(turn: Turn, which: Which, words: string, title: string): Promise<Reply> {
  const until = snoozeTime(words || "tomorrow morning", turn.clock);
  if (!until) return { text: "Until when should I snooze it? For example: until tomorrow morning." };
  return change(turn, which, { snoozedUntil: until.toISOString() }, title);
}

async function summary(turn: Turn, id: number): Promise<Reply> {
  const email = await toolResult<EmailDetails>(turn, "read_mail", { id });
  if ("text" in email) return email;
  const asks = email.actionItems.map(({ text }) => `- ${shorten(text)}`);
  const about = shorten(email.summary ?? email.snippet, 400);
  const first = `${shorten(email.from, 80)}, “${shorten(email.subject) || "no subject"}”: ${about}`;
  return { text: [first, ...(asks.length > 0 ? ["It asks for:", ...asks] : [])].join("\n") };
}

async function forward(turn: Turn, which: Which, { to, text }: Deed & { kind: "forward" | "reply" }): Promise<Reply> {
  const addresses: string[] = [];
  for (const person of peopleIn(to)) {
    const found = await addressesOf(turn.ctx, person);
    const [only] = found;
    if (!only || found.length > 1) {
      const why = only
        ? `I know more than one address for ${person}: ${found.join(", ")}.`
        : `I do not know the address of ${person}.`;
      return { text: `${why} Say: forward it to name@example.com.` };
    }
    addresses.push(only);
  }
  const what = "id" in which ? { forward: which.id } : { ...matchOf(which), kind: "forward" };
  return draft(turn, { ...what, to: addresses }, text);
}

async function newEmail(
  turn: Turn,
  { to, subject, text }: { to: string; subject: string; text: string },
): Promise<Reply> {
  const known = await addressesOf(turn.ctx, to);
  const [address] = known;
  if (!address || known.length > 1) {
    const why = address
      ? `I know more than one address for ${to}: ${known.join(", ")}.`
      : `I do not know the address of ${to}.`;
    return { text: `${why} Say: write an email to name@example.com that …` };
  }
  if (!text) {
    const input = { to: [address], ...(subject && { subject: shorten(subject, 200) }) };
    return { text: `What should it say?`, question: { kind: "what", tool: "draft_mail", input } };
  }
  const body = `${text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}${/[.!?]$/.test(text) ? "" : "."}`;
  const title = subject || body.split(/[.!?]/)[0]?.slice(0, 60) || "Hello";
  return draft(turn, { to: [address], subject: title }, "", body);
}

/** Writes the draft, and asks whether to send it. */
async function draft(turn: Turn, input: Record<string, unknown>, say: string, body?: string): Promise<Reply> {
  const text = body === undefined ? (say || input.forward !== undefined ? { say } : {}) : { body };
  if (body === undefined && !say && !("forward" in input) && input.kind !== "forward") {
    return { text: "What should I answer? For example: reply that I agree." };
  }
  return writeDraft(turn, { ...input, ...text });
}

export async function writeDraft(turn: Turn, input: Record<string, unknown>): Promise<Reply> {
  const outcome = await turn.call("draft_mail", input);
  if (outcome.status !== "done") return replyFor(outcome, () => "");
  const { id, subject, to, body: written } = assertType<DraftView>(outcome.result);
  rememberAnswered(turn, subject);
  return askToSend(
    turn,
    id,
    `I have written a draft to ${to.join(", ") || "nobody yet"}, “${shorten(subject)}”:\n\n${shortBody(written)}`,
  );
}

/** What was answered or forwarded is what the conversation is about, once the draft is sent. */
function rememberAnswered({ actions, state }: Turn, subject: string): void {
  const { replyTo, forward: forwarded } = actions.at(-1)?.input ?? {};
  const id = typeof replyTo === "number" ? replyTo : forwarded;
  if (typeof id !== "number") return;
  const title = subject.replace(/^(?:re|fwd?): /i, "");
  state.groups.unshift([{ kind: "email", id, title }]);
}

const shortBody = (text: string) => (text.trim() ? text.trim().slice(0, 800) : "(no text of your own)");

async function askToSend(turn: Turn, id: number, shown: string): Promise<Reply> {
  const outcome = await turn.call("send_mail", { id });
  if (outcome.status !== "proposed") return replyFor(outcome, () => shown);
  return { text: `${shown}\n\nShould I send it? Say yes or no.`.trim() };
}

async function draftDeed(turn: Turn, deed: Deed, record: ChatRecord): Promise<Reply | null> {
  if (deed.kind === "send") return askToSend(turn, record.id, `The draft “${shorten(record.title)}” is ready.`);
  if (deed.kind === "remove") {
    return replyFor(
      await turn.call("delete_draft", { id: record.id }),
      () => `Deleted the draft: ${shorten(record.title)}.`,
    );
  }
  if (deed.kind !== "read" && deed.kind !== "summarise") return null;
  requireScopes(turn.ctx, ["emails:read"]);
  const { to, subject, body } = await getDraft(turn.ctx, record.id);
  turn.shown = [record];
  const people = to.map(emailOf).join(", ") || "nobody yet";
  return { text: `The draft to ${people}, “${shorten(subject)}”:\n\n${shortBody(body)}\n\nIt is not sent.` };
}

/** "archive all emails from Eve": they are named before they are changed. */
async function forAll(turn: Turn, deed: Deed, match: string): Promise<Reply | null> {
  const changes =
    deed.kind === "flag"
      ? deed.changes
      : deed.kind === "remove"
        ? { status: "trash" }
        : deed.kind === "tag"
          ? { addTags: [tagOf(deed.tag)] }
          : null;
  if (!changes) return null;
  const found = await findEmails(turn, { limit: 10, ...(match && { query: match }) });
  if ("text" in found) return found;
  const { mails, more } = found;
  if (mails.length === 0)
    return { text: match ? `I found no email matching “${plain(match)}”.` : "There are no emails." };
  const calls = mails.map(({ id, subject }) => ({ label: subject, tool: "update_mail", input: { id, ...changes } }));
  const title = more ? "These are the newest ten:" : `That is ${mails.length}:`;
  const list = mails.map(({ from, subject }) => `- ${shorten(from, 60)}: ${shorten(subject) || "(no subject)"}`);
  return {
    text: [title, ...list, "Should I do that for all of these? Say yes or no."].join("\n"),
    question: { kind: "confirm", calls },
  };
}
