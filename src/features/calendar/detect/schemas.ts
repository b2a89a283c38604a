import { z } from "@hono/zod-openapi";
import { Timestamp, TimestampInput } from "../../../http/schemas.ts";
import { isTimeZone } from "../../../lib/time-zone.ts";

const TimeZone = z
  .string()
  .refine(isTimeZone, "is not a time zone of the IANA database")
  .openapi({ example: "Europe/Berlin", description: "A name of the IANA database." });

export const Quote = z
  .object({
    text: z.string().openapi({ example: "Tuesday at 3" }),
    start: z.int().min(0).openapi({ example: 19 }),
    end: z.int().min(0).openapi({ example: 31 }),
  })
  .openapi({
    description: "`start` and `end` are character offsets into the given text; what stands there is `text`.",
  });

/** Without a name of its own: as a nullable member it would be nullable everywhere. */
export const DetectedMeeting = z.object({
  title: z.string().openapi({ example: "Call: the budget" }),
  start: Timestamp,
  end: Timestamp,
  timeZone: z.string().openapi({ example: "Europe/Berlin" }),
  allDay: z.boolean().openapi({ example: false, description: "Only a day was named." }),
  location: z.string().nullable().openapi({ example: "Room 4" }),
  meetingUrl: z.string().nullable().openapi({ example: "https://meet.google.com/abc-defg-hij" }),
  attendees: z.array(
    z.object({
      name: z.string().nullable().openapi({ example: "Ann Lee" }),
      email: z.string().nullable().openapi({ example: "ann@example.org" }),
    }),
  ),
  confidence: z.number().min(0).max(1).openapi({ example: 0.8 }),
  ambiguous: z.boolean().openapi({
    example: true,
    description: "Another time is as likely (no am or pm was said), or it is one of several that were proposed.",
  }),
  quote: Quote,
});

export const Engine = z
  .object({
    kind: z.enum(["llm", "builtin"]).openapi({ example: "builtin" }),
    model: z.string().nullable().openapi({ example: null }),
    provider: z.string().nullable().openapi({ example: null }),
    upstreamModel: z.string().nullable().openapi({ example: null }),
    fallbackReason: z.string().nullable().openapi({ example: null }),
  })
  .openapi("Engine", { description: "Who made the answer: a language model, or the engine built into the service." });

export const DetectRequest = z
  .object({
    text: z.string().min(1).max(500_000).openapi({
      example: "Could we meet on Tuesday at 3 to discuss the budget?",
      description: "A mail or note; the first 50,000 characters are read. HTML and iCalendar text are understood.",
    }),
    referenceTime: TimestampInput.optional().openapi({
      description: "When it was written: what `tomorrow` is counted from. Now, when left out.",
    }),
    timeZone: TimeZone.default("UTC").openapi({ description: "The zone its times are read in, unless it names one." }),
  })
  .openapi("DetectRequest");

export const DetectAnswer = z
  .object({
    detected: z.boolean().openapi({ example: true }),
    confidence: z.number().min(0).max(1).openapi({ example: 0.6 }),
    meetings: z.array(DetectedMeeting),
    signals: z.array(
      z.object({
        kind: z.enum(["request", "time", "link", "location", "cancellation", "invite"]).openapi({ example: "time" }),
        text: z.string().openapi({ example: "Tuesday at 3" }),
        start: z.int().min(0).openapi({ example: 19 }),
        end: z.int().min(0).openapi({ example: 31 }),
        resolved: z
          .object({
            start: Timestamp,
            end: Timestamp.nullable().openapi({ description: "The first moment behind it; null for a point in time." }),
            grain: z.string().openapi({ example: "hour", description: "second, minute, hour, day, week, month…" }),
          })
          .optional()
          .openapi({ description: "What a time means; left out for a bare length such as `for 2 hours`." }),
      }),
    ),
    note: z.string().nullable().openapi({ example: null, description: "Set when only a part of the text was read." }),
    engine: Engine,
  })
  .openapi("DetectAnswer");

export type DetectInput = z.output<typeof DetectRequest>;
export type Detected = z.infer<typeof DetectAnswer>;
export type MeetingAnswer = z.infer<typeof DetectedMeeting>;
export type EngineAnswer = z.infer<typeof Engine>;
