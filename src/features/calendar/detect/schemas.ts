import { z } from "@hono/zod-openapi";
import { doc, named, TimeOrDateInput, Timestamp } from "../../../http/schemas.ts";
import { LANGUAGES } from "../../../lib/languages.ts";
import { Engine } from "../../ai-models/schemas.ts";
import { DetectedMeeting, emailSource, hasOneSource, ONE_SOURCE, TextTimeZone } from "../../emails/analysis/schemas.ts";
import { EventChange } from "../events/schemas.ts";

export const DetectRequest = named(
  "DetectRequest",
  () => ({
    text: doc(
      z.string().min(1).max(500_000),
      "An email or a note: plain text, HTML or iCalendar. The first 50,000 characters are read.",
    ),
    referenceTime: doc(TimeOrDateInput.optional(), "What words such as `tomorrow` are counted from. Default: now."),
    timeZone: TextTimeZone,
  }),
  { example: { text: "Could we meet on Tuesday at 3pm to discuss the budget?" } },
);

const span = {
  start: doc(Timestamp, "Start of the time."),
  end: doc(Timestamp.nullable(), "The first moment after it; null for a point in time."),
};

const Resolved = z.object({
  ...span,
  grain: doc(z.string(), "Precision: `minute`, `hour`, `day`, `week`, `month` and so on.", "hour"),
});

const Signal = z.object({
  kind: doc(z.enum(["request", "time", "link", "location", "cancellation", "invite"]), "Kind of evidence.", "time"),
  text: doc(z.string(), "The words.", "Tuesday at 3pm"),
  start: doc(z.int().min(0), "Character offset of the start.", 19),
  end: doc(z.int().min(0), "Character offset of the end.", 33),
  resolved: doc(Resolved.optional(), "The time that the words mean. Absent for a duration such as `for 2 hours`."),
  alternative: doc(
    z.object(span).optional(),
    "The other time that the words may mean: `11/12` is 11 December or 12 November if your profile has no locale.",
  ),
  doubt: doc(z.string().optional(), "Why the time is not certain, or does not exist.", "There is no 30 February."),
});

export const DetectResponse = named("DetectResponse", () => ({
  detected: doc(z.boolean(), "Whether the text is about a meeting.", true),
  confidence: doc(z.number().min(0).max(1), "How certain that is, from 0 to 1.", 0.6),
  meetings: doc(z.array(DetectedMeeting), "The meetings with a time."),
  signals: doc(z.array(Signal), "The parts of the text that indicate a meeting, in order."),
  language: doc(
    z.enum(LANGUAGES).nullable(),
    "The language of the text. Null if the built-in engine does not support it.",
    "en",
  ),
  note: doc(z.string().nullable(), "Set if only a part of the text was read.", null),
  engine: Engine,
}));

export const FromEmail = z
  .object({ ...emailSource, overrides: EventChange.optional() })
  .refine(hasOneSource, ONE_SOURCE)
  .openapi("EventFromEmail", {
    example: {
      content: "Lunch on Tuesday at noon at Mario's? Bob",
      subject: "Lunch",
      from: "Bob Ray <bob@example.org>",
      timeZone: "Europe/Berlin",
    },
  });

export type FromEmailInput = z.output<typeof FromEmail>;
export type DetectInput = z.output<typeof DetectRequest>;
export type Detected = z.infer<typeof DetectResponse>;
