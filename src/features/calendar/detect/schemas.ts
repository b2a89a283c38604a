import { z } from "@hono/zod-openapi";
import { Id, Timestamp, TimestampInput, TimeZone } from "../../../http/schemas.ts";
import { Engine } from "../../ai-models/schemas.ts";
import { DetectedMeeting } from "../../emails/analysis/schemas.ts";
import { EventChange } from "../events/schemas.ts";

export const DetectRequest = z
  .object({
    text: z.string().min(1).max(500_000).openapi({
      example: "Could we meet on Tuesday at 3 to discuss the budget?",
      description: "A mail or note; the first 50,000 characters are read. HTML and iCalendar text are understood.",
    }),
    referenceTime: TimestampInput.optional().openapi({
      description: "When it was written: what `tomorrow` is counted from. Now, when left out.",
    }),
    timeZone: TimeZone.optional().openapi({
      description: "The zone its times are read in, unless it names one. Your profile's when left out, or UTC.",
    }),
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

const source = {
  emailId: Id.optional().openapi({ description: "A stored mail. Give this or `content`." }),
  content: z.string().min(1).max(500_000).optional().openapi({ example: "Lunch on Tuesday at noon?" }),
  subject: z.string().max(1000).nullish().openapi({ example: "Lunch" }),
  from: z.string().trim().max(500).nullish().openapi({ example: "Bob Ray <bob@example.org>" }),
  receivedAt: TimestampInput.optional(),
};

export const FromEmail = z
  .object({
    ...source,
    timeZone: TimeZone.optional(),
    overrides: EventChange.optional(),
  })
  .refine(({ emailId, content }) => (emailId === undefined) !== (content === undefined), {
    message: "give either emailId or content",
    path: ["emailId"],
  })
  .openapi("EventFromEmail");

export type FromEmailInput = z.output<typeof FromEmail>;
export type DetectInput = z.output<typeof DetectRequest>;
export type Detected = z.infer<typeof DetectAnswer>;
