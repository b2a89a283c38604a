import { collapseSpace } from "../../lib/text.ts";
import { dueOf } from "../due-date.ts";
import { type Detection, detectMeetings, type Meeting } from "../meetings/meetings.ts";
import { type ActionItem, actionItemsIn, isTask } from "./action-items.ts";
import { type MailInput, type ReadMail, readMail, textOf } from "./mail.ts";
import { deadlinesIn, insightsOf, summaryOf } from "./summary.ts";
import { type Category, categoryOf, ownText, type Sentiment, sentimentOf, type Urgency, urgencyOf } from "./tone.ts";

/** What the engine makes of a mail. An engine that asks a language model answers in the same shape. */
export interface Intelligence {
  urgency: Urgency;
  category: Category;
  sentiment: Sentiment;
  summary: string;
  insights: string[];
  actionItems: ActionItem[];
  meeting: Meeting | null;
  replyNeeded: boolean;
}

/** What a mail asks for that is worth a task. */
export function tasksIn(input: MailInput): ActionItem[] {
  return actionItemsIn(readMail(input)).filter(isTask);
}

export function detectIn(input: MailInput): Detection {
  return detectMeetings(readMail(input));
}

export function understandMail(input: MailInput): Intelligence {
  const mail = readMail(input);
  const detection = detectMeetings(mail);
  const actionItems = actionItemsIn(mail);
  const category = categoryOf(mail, detection.confidence);
  const text = ownText(mail);
  const deadlines = deadlinesIn(mail);
  const next = [
    ...deadlines.map((date) => dueOf(date, mail.reference, mail.timeZone)),
    ...actionItems.map(({ dueAt }) => dueAt),
  ]
    .filter((date) => date !== null && date > mail.reference)
    .sort((a, b) => (a?.getTime() ?? 0) - (b?.getTime() ?? 0))[0];
  const asksReader = asksTheReader(mail, actionItems);
  const urgency = urgencyOf(mail, text, {
    nextDeadline: next ?? null,
    actionCount: actionItems.length,
    category,
    asksReader,
  });
  const insights = insightsOf(mail, deadlines);
  if (mail.note) insights.push(mail.note);
  return {
    urgency,
    category,
    sentiment: sentimentOf(text),
    summary: summaryOf(mail, actionItems),
    insights,
    actionItems,
    meeting: [...detection.meetings].sort((a, b) => b.confidence - a.confidence)[0] ?? null,
    replyNeeded: asksReader && isFromPerson(category, mail),
  };
}

/** A question, or a request whose answer is a reply. */
function asksTheReader(mail: ReadMail, items: readonly ActionItem[]): boolean {
  const asks = mail.sentences.some((span) => {
    const sentence = collapseSpace(textOf(mail, span).slice(0, 800));
    return (
      sentence.endsWith("?") ||
      /\b(?:let me know|get back to (?:me|us)|please (?:reply|respond|confirm|advise)|rsvp|your thoughts|awaiting your)\b/i.test(
        sentence,
      )
    );
  });
  return asks || items.some(({ assignee, confidence }) => assignee === "you" && confidence >= 0.7);
}

function isFromPerson(category: Category, mail: ReadMail): boolean {
  if (category === "newsletter" || category === "notification" || category === "receipt" || category === "spam-like")
    return false;
  return !/^(?:no-?reply|do-?not-?reply)@/i.test(mail.from?.email ?? "");
}
