import * as z from "zod";
import { PERSONAL_CHANNELS, REMINDER_CHANNELS } from "../lib/channels.ts";
import {
  AUTHENTICATION_RESULTS,
  CATEGORIES,
  EMAIL_KINDS,
  SENTIMENTS,
  SIGN_IN_KINDS,
  URGENCIES,
} from "../lib/email-kinds.ts";
import { RESPONSES } from "../lib/event-kinds.ts";
import { OUTBOUND_EVENTS } from "../lib/outbound-events.ts";
import { IMAGE_TYPES } from "../lib/profile-kinds.ts";
import { isSupportedRule } from "../lib/recurrence.ts";
import { MAX_MINUTES_BEFORE } from "../lib/reminder-kinds.ts";
import { MAX_TAGS } from "../lib/tags.ts";
import { PRIORITIES } from "../lib/task-kinds.ts";
import { timeZoneName } from "../lib/zone-names.ts";
import type { INHERITED } from "./schema/tasks.ts";

/*
 * What an archive may have in columns whose type says too little: those with JSON, and texts that the service reads as an
 * address, a rule or a time zone. An archive is a file that anybody can write. Members that are not named here are left out.
 */

type Shapes = Readonly<Record<string, z.ZodType>>;

const text = (max = 10_000) => z.string().max(max);
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** A time in milliseconds, until the end of the year 9999. */
const instant = z.int().min(-62_135_596_800_000).max(253_402_300_799_999);
/** Every list of an archive has a limit, far above what people have. */
const list = <Item extends z.ZodType>(item: Item, max = 1000) => z.array(item).max(max);
const tags = list(text(100), MAX_TAGS);
const zone = text(100).refine((name) => timeZoneName(name) !== null);
const webAddress = text(4000).regex(/^https?:\/\//i);
const rrule = text(2000).refine((rule) => isSupportedRule(rule));
const clock = text(5).regex(/^\d\d:\d\d$/);
const address = z.object({ name: text(1000), email: text(1000) });
const person = z.object({ name: text(1000).nullable(), email: text(1000) });
const response = z.enum(RESPONSES);
const quote = z.object({ text: text(), start: count, end: count });
/** The name of a parameter or a column, which none of ours begins with. */
const plainRecord = z.record(text(200).regex(/^(?!__)/), z.unknown());
const engine = z.object({
  kind: z.enum(["llm", "builtin"]),
  model: text(500).nullable(),
  provider: text(500).nullable(),
  upstreamModel: text(500).nullable(),
  fallbackReason: text().nullable(),
});
const channel = z.enum(REMINDER_CHANNELS);
const reminders = z
  .array(
    z.union([
      z.strictObject({ channel, at: instant }),
      z.strictObject({ channel, minutesBefore: z.int().min(0).max(MAX_MINUTES_BEFORE) }),
    ]),
  )
  .max(8);
const written = { body: text(2_000_000), html: text(2_000_000).nullable(), quote: z.boolean(), signature: z.boolean() };
const days = list(z.object({ start: clock, end: clock }), 20);
const recipients = list(address, 10_000);
/** A draft keeps what is no address yet as it was written. */
const draftRecipients = list(z.union([address, text(1000)]), 10_000);

const signIn = z.object({ kind: z.enum(SIGN_IN_KINDS), code: text(40).nullable(), expiresAt: z.iso.datetime() });

const attachment = z.object({
  name: text(),
  type: text(),
  size: count,
  inline: z.literal(true).optional(),
  contentId: text().optional(),
  key: text().optional(),
  offset: count.optional(),
  length: count.optional(),
  encoding: z.enum(["base64", "quoted-printable", "binary"]).optional(),
});

/**
 * The object of a long email. It becomes an object of this service as it is, so nothing else may be in it, and it names
 * no other objects.
 */
export const EMAIL_CONTENT = z.strictObject({
  body: text(2_000_000),
  html: text(2_000_000).nullable(),
  attachments: z
    .array(attachment.omit({ key: true }).strict())
    .max(10_000)
    .optional(),
});

const EMAILS: Shapes = {
  references: list(text()),
  to: recipients,
  cc: recipients,
  bcc: recipients,
  replyTo: address,
  authentication: z.object({
    spf: z.enum(AUTHENTICATION_RESULTS),
    dkim: z.enum(AUTHENTICATION_RESULTS),
    dmarc: z.enum(AUTHENTICATION_RESULTS),
  }),
  attachments: list(attachment, 10_000),
  tags,
  list: z.object({
    id: text().nullable(),
    url: webAddress.nullable(),
    mailto: text()
      .regex(/^mailto:/i)
      .nullable(),
    oneClick: z.boolean(),
    isSigned: z.boolean(),
  }),
  appliedRules: list(z.object({ id: count.nullable(), name: text() })),
  analysis: z.object({
    urgency: z.object({ level: z.enum(URGENCIES), score: z.number(), reasons: list(text()) }),
    category: z.enum(CATEGORIES),
    sentiment: z.enum(SENTIMENTS),
    summary: text(),
    insights: list(text()),
    actionItems: list(
      z.object({
        text: text(),
        quote,
        dueAt: text(40).nullable(),
        assignee: text().nullable(),
        confidence: z.number(),
      }),
    ),
    meeting: z
      .object({
        title: text(),
        start: text(40),
        end: text(40),
        timeZone: zone,
        allDay: z.boolean(),
        location: text().nullable(),
        meetingUrl: webAddress.nullable(),
        attendees: list(z.object({ name: text().nullable(), email: text().nullable() }), 10_000),
        confidence: z.number(),
        ambiguous: z.boolean(),
        proposed: z.boolean(),
        quote,
      })
      .nullable(),
    replyNeeded: z.boolean(),
    language: text(40).nullable().optional(),
    engine,
  }),
  signIn,
  writtenAs: z.object({ ...written, inReplyTo: count.nullable(), forwardOf: count.nullable() }),
};

const EVENTS: Shapes = {
  invitation: z.object({
    sender: text(1000),
    attendee: text(1000).nullable(),
    response: response.nullable(),
    busy: z.boolean(),
    deleted: list(instant, 10_000).optional(),
    told: z
      .object({ response, comment: text().nullable(), state: z.enum(["sending", "sent"]), at: instant })
      .nullable(),
  }),
  organizer: person,
  attendees: list(person.extend({ response }), 10_000),
  tags,
  reminders,
  exdates: list(instant, 5000),
  overrides: list(instant, 5000),
  rrule,
  meetingUrl: webAddress,
};

/** By table and column. */
const SHAPES: Readonly<Record<string, Shapes>> = {
  emails: EMAILS,
  events: EVENTS,
  email_drafts: { to: draftRecipients, cc: draftRecipients, bcc: draftRecipients, signIn },
  email_retention: { kindDays: z.partialRecord(z.enum(EMAIL_KINDS), z.int().min(1)) },
  identities: { replyTo: address },
  tasks: {
    tags,
    reminders,
    repetition: z.object({
      rrule,
      from: z.enum(["due", "done"]),
      zone,
      at: text(40),
      until: instant.nullable(),
      template: z
        .strictObject({
          title: text(),
          description: text(1_000_000).nullable(),
          priority: z.enum(PRIORITIES),
          tags,
          listId: count.nullable(),
          estimateMinutes: count.nullable(),
          outside: z.union([z.boolean(), z.literal([0, 1])]),
        } satisfies Record<keyof typeof INHERITED | "outside", z.ZodType>)
        .partial()
        .optional(),
      next: count.optional(),
    }),
  },
  chat_conversations: { question: z.unknown(), state: z.unknown() },
  chat_messages: {
    actions: list(z.object({ id: text(100).nullable(), tool: text(100), input: plainRecord, result: plainRecord })),
    engine,
  },
  chat_proposals: { input: plainRecord, result: plainRecord },
  chat_actions: { undo: z.unknown() },
  captions: { hashtags: list(text(200)), engine, postUrl: webAddress },
  stream_voices: { hashtags: list(text(200)) },
  stream_events: { data: plainRecord },
  stream_sessions: { url: webAddress, thumbnailUrl: webAddress },
  webhook_endpoints: { eventTypes: list(z.enum(OUTBOUND_EVENTS)), url: webAddress },
  notification_preferences: {
    reminderChannels: list(z.enum(PERSONAL_CHANNELS)),
    quietHours: z.object({ start: clock, end: clock }),
  },
  working_hours: { days: z.object({ 1: days, 2: days, 3: days, 4: days, 5: days, 6: days, 7: days }) },
  profiles: {
    avatar: z.union([
      z.object({ kind: z.literal("image"), type: z.enum(IMAGE_TYPES), bytes: count, hash: text(200), key: text() }),
      z.object({ kind: z.literal("url"), url: webAddress }),
    ]),
  },
  sync_runs: { errors: list(text()) },
};

/** What the values of a column must be; undefined if its type says it all. */
export function shapeOf(table: string, key: string): z.ZodType | undefined {
  return SHAPES[table]?.[key] ?? (key === "timeZone" ? zone : undefined);
}
