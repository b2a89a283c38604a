import type { Category, EmailAnalysis, EmailKind, SignInKind } from "../../lib/email-kinds.ts";
import { collapseSpace } from "../../lib/text.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { dueOf } from "../due-date.ts";
import { languageIn, languageNote, otherLanguage } from "../languages/language.ts";
import { type Detection, detectMeetings, type Meeting } from "../meetings/meetings.ts";
import { type ActionItem, actionItemsIn, isPlainRequest, isTask } from "./action-items.ts";
import { categoryOf, ownText, sentimentOf, urgencyOf } from "./classify.ts";
import { type EmailInput, type ReadEmail, readEmail, textOf } from "./email.ts";
import { kindByText } from "./kind.ts";
import { withSender } from "./sender.ts";
import { signInOf } from "./sign-in.ts";
import { deadlinesIn, insightsOf, summaryOf } from "./summary.ts";

/** The analysis of an email. A language model returns the same shape. */
export interface Intelligence extends Omit<EmailAnalysis, "actionItems" | "meeting" | "engine"> {
  actionItems: ActionItem[];
  meeting: Meeting | null;
}

/** The action items of an email that are worth a task. */
export function tasksIn(input: EmailInput): ActionItem[] {
  if (signInKind(input)) return [];
  const email = readEmail(input);
  return otherLanguage(ownText(email)) ? [] : actionItemsIn(email).filter(isTask);
}

export function detectIn(input: EmailInput): Detection {
  return detectMeetings(readEmail(input));
}

/** What the email signs its reader in with: as it is known, or as its text says. */
export function signInKind({ signIn, subject, from, content }: EmailInput): SignInKind | null {
  if (signIn !== undefined) return signIn?.kind ?? null;
  const body = visibleText(content);
  const html = body === content ? null : content;
  return signInOf({ from: from?.email ?? "", subject: subject ?? "", body, html })?.kind ?? null;
}

/** Says nothing of its text: nobody but its reader is to see the code, and it asks for nothing. */
function understoodSignIn(kind: SignInKind, { from, subject, content }: EmailInput): Intelligence {
  const sender = from?.name || from?.email;
  return {
    urgency: { level: "low", score: 10, reasons: [] },
    category: "notification",
    sentiment: "neutral",
    summary: `A sign-in ${kind}${sender ? ` from ${collapseSpace(sender)}` : ""}.`,
    insights: [],
    actionItems: [],
    meeting: null,
    replyNeeded: false,
    language: languageIn(`${subject ?? ""}\n${visibleText(content)}`),
  };
}

export function understandEmail(input: EmailInput): Intelligence {
  const signIn = signInKind(input);
  if (signIn) return withSender(understoodSignIn(signIn, input), { ...input, kind: input.kind ?? "notification" });
  const email = readEmail(input);
  const detection = detectMeetings(email);
  const kind = input.kind ?? kindByText(input);
  const text = ownText(email);
  const language = otherLanguage(text);
  const actionItems = language ? [] : asked(actionItemsIn(email), kind);
  const category = categoryOf(email, detection.confidence);
  const deadlines = deadlinesIn(email);
  const next = [...deadlines.map((date) => dueOf(date, email)), ...actionItems.map(({ dueAt }) => dueAt)]
    .filter((date) => date !== null && date > email.reference)
    .sort((a, b) => (a?.getTime() ?? 0) - (b?.getTime() ?? 0))[0];
  const asksReader = asksTheReader(email, actionItems);
  const facts = { nextDeadline: next ?? null, actionCount: actionItems.length, category };
  const insights = insightsOf(email, deadlines);
  if (language) insights.unshift(languageNote(language));
  if (email.note) insights.push(email.note);
  const read = {
    urgency: urgencyOf(email, text, facts),
    category,
    sentiment: sentimentOf(text),
    summary: summaryOf(email, actionItems),
    insights,
    actionItems,
    meeting: [...detection.meetings].sort((a, b) => b.confidence - a.confidence)[0] ?? null,
    replyNeeded: asksReader && isFromPerson(category, email),
    language: email.language,
  };
  return withSender(read, { ...input, kind });
}

/** Machines write "Read more on our blog" and "Reply yes or no": what they really ask for is plain, or has a date. */
function asked(items: ActionItem[], kind: EmailKind): ActionItem[] {
  if (kind === "newsletter" || kind === "spam_like" || kind === "bounce" || kind === "auto_reply") return [];
  if (kind === "person") return items;
  return items.filter((item) => isTask(item) && (item.dueAt !== null || isPlainRequest(item.quote.text)));
}

/** Whether the email has a question or a request that needs a reply. */
function asksTheReader(email: ReadEmail, items: readonly ActionItem[]): boolean {
  const asks = email.sentences.some((range) => {
    const sentence = collapseSpace(textOf(email, range).slice(0, 800));
    return (
      sentence.endsWith("?") ||
      /\b(?:let me know|get back to (?:me|us)|please (?:reply|respond|confirm|advise)|rsvp|your thoughts|awaiting your)\b/i.test(
        sentence,
      )
    );
  });
  return asks || items.some(({ assignee, confidence }) => assignee === "you" && confidence >= 0.7);
}

function isFromPerson(category: Category, email: ReadEmail): boolean {
  if (category === "newsletter" || category === "notification" || category === "receipt" || category === "spam-like")
    return false;
  return !/^(?:no-?reply|do-?not-?reply)@/i.test(email.from?.email ?? "");
}
