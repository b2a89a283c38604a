import * as z from "zod";
import type { Context } from "../../../context.ts";
import { checkMeetings, emailPrompt, hasCalendarInvite } from "../../../engine/email/check-model-output.ts";
import { type EmailInput, readEmail } from "../../../engine/email/email.ts";
import { signInKind } from "../../../engine/email/intelligence.ts";
import { type Detection, detectMeetings } from "../../../engine/meetings/meetings.ts";
import { lowerBound } from "../../../lib/time-zone.ts";
import { ask, type Question } from "../../ai-models/ask.ts";
import { toWireMeeting } from "../../emails/analysis/question.ts";
import { readingFor } from "../../people/reading.ts";
import type { Detected, DetectInput } from "./schemas.ts";

/** Finds meetings in a text. Nothing is stored. */
export async function detect(ctx: Context, input: DetectInput): Promise<Detected> {
  const { text, referenceTime, timeZone } = input;
  const reading = readingFor(ctx, timeZone);
  const { answer, engine } = await ask(
    ctx,
    detectQuestion({ content: text, reference: lowerBound(reading.timeZone, referenceTime ?? ctx.now), ...reading }),
  );
  return {
    ...answer,
    meetings: answer.meetings.map(toWireMeeting),
    signals: answer.signals.map(({ resolved, alternative, ...signal }) => ({
      ...signal,
      ...(resolved && { resolved: { ...wireSpan(resolved), grain: resolved.grain } }),
      ...(alternative && { alternative: wireSpan(alternative) }),
    })),
    engine,
  };
}

const wireSpan = ({ start, end }: { start: Date; end: Date | null }) => ({
  start: start.toISOString(),
  end: end?.toISOString() ?? null,
});

/** The output of a model. It has no times on purpose: the engine reads them from the quotes. */
const ModelOutput = z.object({
  asksForMeeting: z.boolean(),
  meetings: z.array(z.object({ title: z.string(), quote: z.string(), location: z.string().nullable() })),
});

const INSTRUCTIONS = `You look for meetings that a text asks for, proposes, confirms or moves. Cancelled and past ones do not count, and neither do deadlines.
- meetings: each with a short title, a location or null, and a quote that is copied from the text, letter by letter, and holds the day and time.
- asksForMeeting: whether a meeting is wanted, with or without a time.`;

const ASKED_CONFIDENCE = 0.6;

function detectQuestion(input: EmailInput): Question<Detection, z.infer<typeof ModelOutput>> {
  const email = readEmail(input);
  const own = detectMeetings(email);
  return {
    task: "detect",
    instructions: INSTRUCTIONS,
    prompt: emailPrompt(email),
    schema: ModelOutput,
    needsNoModel: hasCalendarInvite(own) || signInKind(input) !== null,
    builtin: () => own,
    check({ asksForMeeting, meetings: proposed }) {
      const meetings = checkMeetings(email, proposed);
      const confidence = Math.max(
        asksForMeeting ? ASKED_CONFIDENCE : 0,
        ...meetings.map((meeting) => meeting.confidence),
      );
      return { ...own, detected: asksForMeeting || meetings.length > 0, confidence, meetings };
    },
  };
}
