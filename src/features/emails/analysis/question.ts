import * as z from "zod";
import {
  checkItems,
  checkMeetings,
  clamp,
  emailPrompt,
  hasCalendarInvite,
  shortTexts,
} from "../../../engine/email/check-model-output.ts";
import { levelOf } from "../../../engine/email/classify.ts";
import { type EmailInput, readEmail } from "../../../engine/email/email.ts";
import { type Intelligence, understandEmail } from "../../../engine/email/intelligence.ts";
import { detectMeetings } from "../../../engine/meetings/meetings.ts";
import { CATEGORIES, type EmailAnalysis, SENTIMENTS } from "../../../lib/email-kinds.ts";
import { collapseSpace } from "../../../lib/text.ts";
import type { Question } from "../../ai-models/ask.ts";

type Analysis = Omit<EmailAnalysis, "engine">;

/** What a model is asked for. Times are left out on purpose: they are read from the quotes. */
const Told = z.object({
  urgencyScore: z.number(),
  urgencyReasons: z.array(z.string()),
  category: z.enum(CATEGORIES),
  sentiment: z.enum(SENTIMENTS),
  summary: z.string(),
  insights: z.array(z.string()),
  actionItems: z.array(
    z.object({ text: z.string(), quote: z.string(), assignee: z.string().nullable(), confidence: z.number() }),
  ),
  meeting: z.object({ title: z.string(), quote: z.string(), location: z.string().nullable() }).nullable(),
  replyNeeded: z.boolean(),
});

const INSTRUCTIONS = `You read one mail for its receiver, who is "you".
- urgencyScore: 0 to 100. From 80 it is critical, from 55 high, from 25 normal. urgencyReasons: short facts of the mail.
- summary: one or two sentences of what the mail says and wants. insights: facts worth knowing; none when there are none.
- actionItems: what somebody is asked to do or promises to do. text is a short title. quote is copied from the mail, letter by letter, and holds the request with its date. assignee is "you", a name in the mail, or null. confidence: 0 to 1.
- meeting: the one the mail asks for, proposes or confirms, or null. quote is copied from the mail, letter by letter, and holds the day and time.
- replyNeeded: whether the sender waits for an answer.
Add nothing that the mail does not say.`;

const MAX_SUMMARY = 800;

export function analysisQuestion(input: EmailInput): Question<Analysis, z.infer<typeof Told>> {
  return {
    task: "email_intelligence",
    instructions: INSTRUCTIONS,
    // Only a model needs it, and reading a long mail takes time.
    get prompt() {
      return emailPrompt(readEmail(input));
    },
    schema: Told,
    builtin: () => toWire(understandEmail(input)),
    check(told) {
      const mail = readEmail(input);
      const summary = collapseSpace(told.summary).slice(0, MAX_SUMMARY);
      if (!summary) return null;
      const detection = detectMeetings(mail);
      const meetings = hasCalendarInvite(detection)
        ? detection.meetings
        : checkMeetings(mail, told.meeting ? [told.meeting] : []);
      const score = Math.round(clamp(told.urgencyScore, 0, 100));
      const insights = shortTexts(told.insights, 10, 400);
      if (mail.note) insights.push(mail.note);
      return toWire({
        urgency: { level: levelOf(score), score, reasons: shortTexts(told.urgencyReasons, 10, 200) },
        category: told.category,
        sentiment: told.sentiment,
        summary,
        insights,
        actionItems: checkItems(mail, told.actionItems),
        meeting: meetings[0] ?? null,
        replyNeeded: told.replyNeeded,
      });
    },
  };
}

/** As it goes over the wire and into the database. */
function toWire({ meeting, actionItems, ...rest }: Intelligence): Analysis {
  return {
    ...rest,
    actionItems: actionItems.map((item) => ({ ...item, dueAt: item.dueAt?.toISOString() ?? null })),
    meeting: meeting && { ...meeting, start: meeting.start.toISOString(), end: meeting.end.toISOString() },
  };
}
