import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { counted } from "../../../../lib/spoken-time.ts";
import { wordSet } from "../../../../lib/words.ts";
import { getDraft } from "../../../emails/drafts/service.ts";
import { emailOf } from "../../../emails/sending/recipients.ts";
import type { EmailDetails } from "../../../tools/emails.ts";
import { searchWords } from "../../../tools/language/name-match.ts";
import { askedBy, askedIn } from "../../request/asked.ts";
import { wordsOf } from "../../request/exact.ts";
import { filtersIn } from "../../request/filters.ts";
import { type Request, slotsOf } from "../../request/request.ts";
import { spanOf } from "../../request/times.ts";
import { isQuestion } from "../../request/vetoes.ts";
import { findMail, mayRead, writtenBy } from "../find.ts";
import { tagsIn } from "../labels.ts";
import { type Answer, emailRecord, lookUp, type Scene } from "../plan.ts";
import { resolve } from "../resolve.ts";
import { emailLine, lines, shorten } from "../words/voice.ts";
import { mailAbout, nothingFound, tellAll } from "./about.ts";
import { attention, taskSummary } from "./tasks.ts";

/** Emails by sender, words, time and state. */
export async function askMail(scene: Scene, request: Request): Promise<Answer> {
  const { sight, voice } = scene;
  const filters = filtersIn(request.rest);
  if (filters.priority === "urgent" || filters.priority === "high") return attention(scene);
  const span = spanOf(request.times, sight.clock);
  const past = span && span.start <= sight.ctx.now ? span : null;
  const isSent = await sentAnswer(scene, request);
  if (isSent) return isSent;
  const isWhether =
    /^(?:and |so )?(?:did|has|have|hat|haben|ha|est-ce)\b/i.test(request.text) &&
    wordsOf(request.text).some((word) => WRITES.has(word));
  const withoutVerbs = (name: string) =>
    name
      .split(" ")
      .filter((word) => !(isWhether && WRITES.has(word.toLowerCase())))
      .join(" ");
  const names = request.names.map(withoutVerbs);
  const people = slotsOf(request, "g").map(withoutVerbs);
  // "Did Gus write?": whoever is named is the one who may have written.
  const [sender] = [...people, ...(isWhether ? names : [])].filter((name) => name !== "");
  const words = searchWords(
    [...(sender && !people.includes(sender) ? [] : names), ...(past ? [] : request.times.map(({ text }) => text))].join(
      " ",
    ),
  ).join(" ");
  const tags = tagsIn(request.text).map((tag) => `tag:${tag}`);
  const query = [...tags, writtenBy(sender ?? ""), words].filter(Boolean).join(" ");
  const found = await findMail(scene, {
    limit: 10,
    ...(query && { query }),
    ...(past && { since: past.start.toISOString(), until: past.end.toISOString() }),
    ...(filters.unread && { unread: true }),
    ...(filters.waiting && { replyNeeded: true }),
    ...(filters.starred && { starred: true }),
    ...(filters.attachment && { hasAttachment: true }),
    ...(filters.sent && { sent: true }),
    ...(filters.spam && { spam: true }),
    ...(query && !filters.spam && { anywhere: true }),
  });
  if ("text" in found) return found;
  const { mails } = found;
  const named = [sender, words].filter(Boolean).join(", ");
  const isNamed = named !== "" && tags.length === 0;
  if (mails.length === 0 && isNamed) {
    // "Did nobody write about the slides?": what is taken for a sender may be none.
    const text =
      isWhether && sender
        ? `No, I found no email from ${shorten(sender, 60)}.`
        : `I found no email matching “${shorten(named, 60)}”.`;
    return (await mailAbout(scene, request)) ?? nothingFound(scene, text, true);
  }
  if (mails.length === 0) return { text: filters.unread ? "You have no unread emails." : "I found no such email." };
  if (mails.length === 1 && isNamed && !filters.sent) {
    const told = await tellAll(scene, mails.map(emailRecord), askedBy(request));
    return isWhether ? { ...told, text: `Yes. ${told.text}` } : told;
  }
  const state = filters.unread ? "unread " : "";
  const count = found.more ? `more than ${mails.length} ${state}emails` : counted(mails.length, `${state}email`);
  const title = `${isWhether ? "Yes. " : ""}I found ${count}${named ? ` matching “${shorten(named, 60)}”` : ""}:`;
  return { text: lines(voice, title, mails, emailLine(voice)), about: mails.map(emailRecord) };
}

/** Verbs of a question whether somebody has written. */
const WRITES = wordSet(
  "write written wrote writes reply replied replies answer answered respond responded emailed email mailed touch contacted geschrieben geantwortet écrit répondu escrito respondido",
);

/** "Did you send it?", after a draft was shown. */
async function sentAnswer({ sight }: Scene, { text, names }: Request): Promise<Answer | null> {
  const [draft] = sight.state.groups[0] ?? [];
  const isAsked = draft?.kind === "draft" && names.length === 0 && isQuestion(text);
  if (!isAsked || !wordsOf(text).some((word) => word === "send" || word === "sent")) return null;
  return { text: `No. The draft “${shorten(draft.title)}” is not sent.`, about: [draft] };
}

/** Reads or summarises one email, or lists the latest. */
export const readMail =
  (isSummary: boolean) =>
  async (scene: Scene, request: Request): Promise<Answer> => {
    const { sight, voice } = scene;
    if (isSummary && request.kind === "task" && request.names.length === 0) return taskSummary(scene);
    const isNamed = request.names.length > 0 || slotsOf(request, "g").length > 0;
    const isMany = wordsOf(request.rest).some(
      (word) => word === "emails" || word === "mails" || word === "inbox" || word === "messages",
    );
    const target = await resolve(sight, request, { kinds: ["email", "draft"] });
    const isFound = "records" in target || "options" in target;
    if (!isFound && (isMany || (isSummary && !isNamed))) return latest(scene, request);
    if ("records" in target) {
      const [record] = target.records;
      if (record?.kind === "draft") return readDraft(scene, record);
      const asked = askedIn(request);
      if (record && asked) return tellAll(scene, [record], asked);
      if (record) return showEmail(scene, record, isSummary);
    }
    if ("refused" in target) return { text: target.refused, isLost: true };
    if (!("options" in target)) {
      const name = "missing" in target ? target.missing : "";
      // "Read me the newest"
      if (!name) return newest(scene, isSummary);
      const text = `I found no email matching “${shorten(name, 60)}”.`;
      return (await mailAbout(scene, request)) ?? nothingFound(scene, text, true);
    }
    const options = target.options
      .slice(0, 6)
      .map(({ id, title }) => ({ label: title || "(no subject)", tool: "read_mail" as const, input: { id } }));
    const shown = options.map(({ label }, at) => `${at + 1}. ${shorten(label)}`);
    return {
      text: [voice.say.which(target.words), ...shown, voice.say.whichOne].join("\n"),
      about: target.options,
      question: { kind: "which", options },
    };
  };

async function latest(scene: Scene, request: Request): Promise<Answer> {
  const { unread, waiting } = filtersIn(request.rest);
  const span = spanOf(request.times, scene.sight.clock);
  const range = span ? { since: span.start.toISOString(), until: span.end.toISOString() } : {};
  const found = await findMail(scene, {
    limit: 10,
    ...range,
    ...(unread && { unread }),
    ...(waiting && { replyNeeded: true }),
  });
  if ("text" in found) return found;
  const { mails } = found;
  if (mails.length === 0)
    return { text: unread ? "You have no unread emails." : "There are no such emails in your inbox." };
  const fresh = mails.filter(({ isRead }) => !isRead).length;
  const urgent = mails.filter(({ urgency }) => urgency === "high" || urgency === "critical").length;
  const facts = [`${fresh} unread`, ...(urgent > 0 ? [`${urgent} urgent`] : [])].join(", ");
  return {
    text: lines(scene.voice, `Your latest ${counted(mails.length, "email")}, ${facts}:`, mails, emailLine(scene.voice)),
    about: mails.map(emailRecord),
  };
}

async function newest(scene: Scene, isSummary: boolean): Promise<Answer> {
  const found = await findMail(scene, { limit: 1 });
  if ("text" in found) return found;
  const [first] = found.mails;
  if (!first) return { text: "There are no emails." };
  return showEmail(scene, emailRecord(first), isSummary);
}

export async function showEmail(scene: Scene, record: ChatRecord, isSummary = false): Promise<Answer> {
  const email = await lookUp<EmailDetails>(scene, "read_mail", { id: record.id });
  if ("text" in email) return email;
  const [from, subject] = [shorten(email.from, 80), shorten(email.subject) || "(no subject)"];
  const asks = email.actionItems.map(({ text }) => `- ${shorten(text)}`);
  const text = [
    isSummary
      ? `${from}, “${subject}”: ${shorten(email.summary || email.snippet, 600)}`
      : `${from} wrote ${scene.voice.moment(Date.parse(email.receivedAt))}: ${subject}\n\n${shorten(email.body, 1500)}`,
    ...(asks.length > 0 ? [["It asks for:", ...asks].join("\n")] : []),
  ].join("\n\n");
  return { text, about: [record] };
}

async function readDraft({ sight }: Scene, record: ChatRecord): Promise<Answer> {
  if (!mayRead(sight, "emails:read")) return { text: "I may not read drafts." };
  const { to, subject, body } = await getDraft(sight.ctx, record.id);
  const people = to.map(emailOf).join(", ") || "nobody yet";
  return {
    text: `The draft to ${people}, “${shorten(subject)}”:\n\n${body.trim().slice(0, 800) || "(no text of your own)"}\n\nIt is not sent.`,
    about: [record],
  };
}
