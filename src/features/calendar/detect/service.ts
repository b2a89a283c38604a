import type { Context } from "../../../context.ts";
import { detectIn } from "../../../lib/engine/intelligence.ts";
import type { Meeting } from "../../../lib/engine/meetings.ts";
import type { Detected, DetectInput, EngineAnswer, MeetingAnswer } from "./schemas.ts";

/** How an answer of the built-in engine names its maker. */
export const BUILTIN: EngineAnswer = {
  kind: "builtin",
  model: null,
  provider: null,
  upstreamModel: null,
  fallbackReason: null,
};

export function meetingAnswer(meeting: Meeting): MeetingAnswer {
  return { ...meeting, start: meeting.start.toISOString(), end: meeting.end.toISOString() };
}

/** Looks for meetings in a text. Nothing is stored. */
export function detect(ctx: Context, input: DetectInput): Detected {
  const { text, referenceTime, timeZone } = input;
  const found = detectIn({ content: text, reference: referenceTime ?? ctx.now, timeZone });
  return {
    ...found,
    meetings: found.meetings.map(meetingAnswer),
    signals: found.signals.map(({ resolved, ...signal }) => ({
      ...signal,
      ...(resolved && {
        resolved: {
          start: resolved.start.toISOString(),
          end: resolved.end?.toISOString() ?? null,
          grain: resolved.grain,
        },
      }),
    })),
    engine: BUILTIN,
  };
}
