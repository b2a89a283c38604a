import { type Context, timeZoneOf } from "../../../context.ts";
import { detectIn } from "../../../lib/engine/intelligence.ts";
import { BUILTIN_ENGINE } from "../../../lib/engine/label.ts";
import type { Detected, DetectInput } from "./schemas.ts";

/** Looks for meetings in a text. Nothing is stored. */
export function detect(ctx: Context, input: DetectInput): Detected {
  const { text, referenceTime, timeZone = timeZoneOf(ctx) } = input;
  const found = detectIn({ content: text, reference: referenceTime ?? ctx.now, timeZone });
  return {
    ...found,
    meetings: found.meetings.map((meeting) => ({
      ...meeting,
      start: meeting.start.toISOString(),
      end: meeting.end.toISOString(),
    })),
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
    engine: BUILTIN_ENGINE,
  };
}
