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
import { type Intelligence, signInKind, understandEmail } from "../../../engine/email/intelligence.ts";
import { withSender } from "../../../engine/email/sender.ts";
import { detectMeetings, type Meeting } from "../../../engine/meetings/meetings.ts";
import { CATEGORIES, type EmailAnalysis, SENTIMENTS } from "../../../lib/email-kinds.ts";
import { toIso } from "../../../lib/intervals.ts";
import { collapseSpace } from "../../../lib/text.ts";
import type { Question } from "../../ai-models/ask.ts";
import type { Limits } from "../../ai-models/model.ts";

type Analysis = Omit<EmailAnalysis, "engine">;

/** The output of a model. It has no times on purpose: the engine reads them from the quotes. */
const ModelOutput = z.object({
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

export function analysisQuestion(input: EmailInput, limits?: Limits): Question<Analysis, z.infer<typeof ModelOutput>> {
  return {
    ...(limits && { limits }),
    task: "email_intelligence",
    instructions: INSTRUCTIONS,
    // A getter, because only a model needs the prompt, and reading a long email takes time.
    get prompt() {
      return emailPrompt(readEmail(input));
    },
    schema: ModelOutput,
    needsNoModel: signInKind(input) !== null,
    builtin: () => toWire(understandEmail(input)),
    check(output) {
      const email = readEmail(input);
      const summary = collapseSpace(output.summary).slice(0, MAX_SUMMARY);
      if (!summary) return null;
      const detection = detectMeetings(email);
      const meetings = hasCalendarInvite(detection)
        ? detection.meetings
        : checkMeetings(email, output.meeting ? [output.meeting] : []);
      const score = Math.round(clamp(output.urgencyScore, 0, 100));
      const insights = shortTexts(output.insights, 10, 400);
      if (email.note) insights.push(email.note);
      const read = {
        urgency: { level: levelOf(score), score, reasons: shortTexts(output.urgencyReasons, 10, 200) },
        category: output.category,
        sentiment: output.sentiment,
        summary,
        insights,
        actionItems: checkItems(email, output.actionItems),
        meeting: meetings[0] ?? null,
        replyNeeded: output.replyNeeded,
        language: email.language,
      };
      return toWire(withSender(read, input));
    },
  };
}

/** As the API returns it and the database stores it. */
function toWire({ meeting, actionItems, ...rest }: Intelligence): Analysis {
  return {
    ...rest,
    actionItems: actionItems.map((item) => ({ ...item, dueAt: item.dueAt?.toISOString() ?? null })),
    meeting: meeting && toWireMeeting(meeting),
  };
}

export function toWireMeeting({ rrule: _, exdates: __, ...meeting }: Meeting) {
  return { ...meeting, ...toIso(meeting) };
}
