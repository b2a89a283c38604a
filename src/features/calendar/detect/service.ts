import * as z from "zod";
import { type Context, timeZoneOf } from "../../../context.ts";
import { checkMeetings, emailPrompt, hasCalendarInvite } from "../../../engine/email/check-model-output.ts";
import { type EmailInput, readEmail } from "../../../engine/email/email.ts";
import { type Detection, detectMeetings } from "../../../engine/meetings/meetings.ts";
import { ask, type Question } from "../../ai-models/ask.ts";
import type { Detected, DetectInput } from "./schemas.ts";

/** Looks for meetings in a text. Nothing is stored. */
export async function detect(ctx: Context, input: DetectInput): Promise<Detected> {
  const { text, referenceTime, timeZone = timeZoneOf(ctx) } = input;
  const { answer, engine } = await ask(
    ctx,
    detectQuestion({ content: text, reference: referenceTime ?? ctx.now, timeZone }),
  );
  return {
    ...answer,
    meetings: answer.meetings.map((meeting) => ({
      ...meeting,
      start: meeting.start.toISOString(),
      end: meeting.end.toISOString(),
    })),
    signals: answer.signals.map(({ resolved, ...signal }) => ({
      ...signal,
      ...(resolved && {
        resolved: {
          start: resolved.start.toISOString(),
          end: resolved.end?.toISOString() ?? null,
          grain: resolved.grain,
        },
      }),
    })),
    engine,
  };
}

/** What a model is asked for. Times are left out on purpose: they are read from the quotes. */
const Told = z.object({
  asksForMeeting: z.boolean(),
  meetings: z.array(z.object({ title: z.string(), quote: z.string(), location: z.string().nullable() })),
});

const INSTRUCTIONS = `You look for meetings that a text asks for, proposes, confirms or moves. Cancelled and past ones do not count, and neither do deadlines.
- meetings: each with a short title, a location or null, and a quote that is copied from the text, letter by letter, and holds the day and time.
- asksForMeeting: whether a meeting is wanted, with or without a time.`;

const ASKED_CONFIDENCE = 0.6;

function detectQuestion(input: EmailInput): Question<Detection, z.infer<typeof Told>> {
  const mail = readEmail(input);
  const own = detectMeetings(mail);
  return {
    task: "detect",
    instructions: INSTRUCTIONS,
    prompt: emailPrompt(mail),
    schema: Told,
    needsNoModel: hasCalendarInvite(own),
    builtin: () => own,
    check({ asksForMeeting, meetings: told }) {
      const meetings = checkMeetings(mail, told);
      const sure = Math.max(asksForMeeting ? ASKED_CONFIDENCE : 0, ...meetings.map(({ confidence }) => confidence));
      return { ...own, detected: asksForMeeting || meetings.length > 0, confidence: sure, meetings };
    },
  };
}
