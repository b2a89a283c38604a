import { z } from "@hono/zod-openapi";
import { ADDRESS_FORMS, addressFields } from "../../../http/address-schemas.ts";
import { doc, Id, TimeOrDateInput, Timestamp, TimeZone } from "../../../http/schemas.ts";
import { CATEGORIES, SENTIMENTS, URGENCIES } from "../../../lib/email-kinds.ts";
import { LANGUAGES } from "../../../lib/languages.ts";
import { parsePerson } from "../../../lib/parse-address.ts";
import { Engine } from "../../ai-models/schemas.ts";

const Quote = z.object({
  text: doc(z.string(), "The quoted text.", "Please send the contract by Friday."),
  start: doc(z.int(), "Character offset of the start.", 24),
  end: doc(z.int(), "Character offset of the end.", 59),
});

const confidence = doc(z.number().min(0).max(1), "How certain this is, from 0 to 1.", 0.8);

const Participant = z.object({
  name: doc(z.string().nullable(), "The person's name.", "Ann Lee"),
  email: doc(z.string().nullable(), "The address.", "ann@example.org"),
});

// Not a named component: the generator would make one that is nullable anywhere nullable everywhere.
export const DetectedMeeting = z.object({
  title: doc(z.string(), "Title.", "Call: the budget"),
  start: doc(Timestamp, "Start."),
  end: doc(Timestamp, "End, not included.", "2026-11-16T10:00:00.000Z"),
  timeZone: doc(z.string(), "IANA time zone of the meeting.", "Europe/Berlin"),
  allDay: doc(z.boolean(), "True if the text names only a day.", false),
  location: doc(z.string().nullable(), "Place.", "Room 4"),
  meetingUrl: doc(z.string().nullable(), "Link to a video call.", "https://meet.google.com/abc-defg-hij"),
  attendees: doc(z.array(Participant), "People the text names."),
  confidence,
  ambiguous: doc(z.boolean(), "True if another time is as likely, or this is one of several proposals.", true),
  proposed: doc(
    z.boolean(),
    "True if the text asks for or suggests the meeting and nobody has agreed to it yet.",
    true,
  ),
  quote: doc(Quote, "The words of the text."),
});

const Urgency = z.object({
  level: doc(z.enum(URGENCIES), "Level of urgency.", "high"),
  score: doc(z.number().min(0).max(100), "Score from 0 to 100.", 72),
  reasons: doc(z.array(z.string()), "Reasons for the score.", ["asks for an answer by Friday"]),
});

const ActionItem = z.object({
  text: doc(z.string(), "The action to take.", "Send the contract"),
  quote: doc(Quote, "The words of the email."),
  dueAt: doc(Timestamp.nullable(), "When it is due."),
  assignee: doc(z.string().nullable(), "Who should do it: `you`, a name, or null if it is unclear.", "you"),
  confidence,
});

// Not a named component, for the same reason.
export const EmailAnalysis = z.object({
  urgency: doc(Urgency, "How urgent the email is."),
  category: doc(z.enum(CATEGORIES), "Kind of email.", "work"),
  sentiment: doc(z.enum(SENTIMENTS), "Tone of the email.", "neutral"),
  summary: doc(z.string(), "One or two sentences.", "Ann asks for the signed contract by Friday."),
  insights: doc(z.array(z.string()), "Further facts.", ["The contract is still unsigned."]),
  actionItems: doc(z.array(ActionItem), "What the email asks for or promises."),
  meeting: doc(DetectedMeeting.nullable(), "The meeting that the email is about."),
  replyNeeded: doc(
    z.boolean(),
    "Whether the text asks for a reply. `replyNeeded` of the email says whether one is still needed.",
    true,
  ),
  language: doc(
    z.enum(LANGUAGES).nullable().optional(),
    "The language of the email. Null if the built-in engine does not support it.",
    "en",
  ),
  engine: Engine,
});

/** For times that the text gives without a zone. */
export const TextTimeZone = doc(
  TimeZone.optional(),
  "IANA time zone for times without one. Default: the time zone of your profile, otherwise UTC.",
);

export const AnalysisQuery = z.object({ timeZone: TextTimeZone });

/** A person: an address, a name, or an object. */
const PersonInput = z
  .union([
    z.string().trim().max(500),
    z.object({ name: addressFields.name, email: addressFields.email.toLowerCase().nullish() }),
  ])
  .transform((given) =>
    typeof given === "string" ? parsePerson(given) : { name: given.name || null, email: given.email || null },
  );

/** The fields with which a request names the email to read: a stored one, or its content. */
export const emailSource = {
  emailId: doc(Id.optional(), "Id of a stored email. Send either this or `content`."),
  content: doc(
    z
      .string()
      .max(500_000)
      .refine((text) => text.trim() !== "", "must not be empty")
      .optional(),
    "Text of an email, plain or HTML.",
  ),
  subject: doc(z.string().max(1000).nullish(), "Subject line. Only used with `content`."),
  from: doc(PersonInput.nullish(), `Sender: ${ADDRESS_FORMS}; or only a name. Only used with \`content\`.`),
  receivedAt: doc(
    TimeOrDateInput.optional(),
    "What words such as `tomorrow` are counted from. Only used with `content`. Default: now.",
  ),
  timeZone: TextTimeZone,
};
export type EmailSource = z.output<z.ZodObject<typeof emailSource>>;

/** For `refine`: a request has one source. */
export function hasOneSource({ emailId, content }: EmailSource): boolean {
  return (emailId === undefined) !== (content === undefined);
}
export const ONE_SOURCE = { message: "must be sent, or content, but not both", path: ["emailId"] };
