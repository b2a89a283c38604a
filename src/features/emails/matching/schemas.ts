import { z } from "@hono/zod-openapi";
import { doc, Id, named, Tags, Timestamp } from "../../../http/schemas.ts";
import { EMAIL_STATUSES } from "../../../lib/email-kinds.ts";
import { EmailQuery } from "../queries/schemas.ts";
import { flags, snooze } from "../schemas.ts";

export const MAX_COUNTED = 10_000;

const { cursor, limit: _, ...filters } = EmailQuery.shape;

export const CountQuery = z.object(filters);
export type CountQuery = z.output<typeof CountQuery>;

export const MatchingQuery = z.object({ ...filters, cursor });
export type MatchingQuery = z.output<typeof MatchingQuery>;

export const EmailCount = named("EmailCount", () => ({
  emails: doc(z.int(), `Number of emails that match, at most ${MAX_COUNTED.toLocaleString("en")}.`, 312),
  conversations: doc(z.int(), "Number of threads that the counted emails belong to.", 280),
  hasMore: doc(z.boolean(), "Whether more emails match than were counted.", false),
  newestId: doc(
    z.int(),
    "Id of the newest stored email. `POST /api/emails/update-matching` takes it, and leaves out what arrives later.",
    4711,
  ),
}));
export type EmailCount = z.infer<typeof EmailCount>;

const { tasks: _tasks, ...changes } = flags;

const UndoId = z.string().regex(/^[\w-]{20,100}$/, "must be the `undo.id` of an earlier portion");

export const MatchingChanges = z
  .object({
    newestId: doc(Id, "Only emails that were stored no later than this one: `newestId` of `GET /api/emails/count`."),
    asThreads: doc(
      z.boolean(),
      "Whether the update is for the whole conversations that match, as with `threadIds` of `PATCH /api/emails`. Default: false.",
    ).default(false),
    within: doc(
      z.enum([...EMAIL_STATUSES, "snoozed"]).optional(),
      "With `asThreads`: only emails in this box. Default: all but spam and trash.",
    ),
    undoId: doc(UndoId.optional(), "The `undo.id` of the first portion, for all further ones."),
    ...changes,
    ...snooze,
    addTags: doc(Tags.optional(), "Tags to add."),
    removeTags: doc(Tags.optional(), "Tags to remove."),
  })
  .refine(({ addTags = [], removeTags = [] }) => !addTags.some((tag) => removeTags.includes(tag)), {
    path: ["removeTags"],
    message: "must not contain a tag of addTags",
  })
  .refine(({ asThreads, within }) => asThreads || within === undefined, {
    path: ["within"],
    message: "can only be sent together with asThreads",
  })
  .openapi("MatchingEmailChanges", { example: { newestId: 4711, status: "archived" } });
export type MatchingChanges = z.output<typeof MatchingChanges>;

export const MatchingResult = named("MatchingEmailResult", () => ({
  updated: doc(z.int(), "Number of emails that this portion updated.", 500),
  undo: doc(
    z
      .object({
        id: doc(z.string(), "Send this to `POST /api/emails/undo`.", "gq2…"),
        expiresAt: doc(Timestamp, "Until then the update can be undone."),
      })
      .nullable(),
    "How to undo this portion and all others with the same `undoId`. Null if nothing was updated yet.",
  ),
  snoozedUntil: doc(
    Timestamp.nullable(),
    "The time that `snoozeText` or `snoozedUntil` means: send it as `snoozedUntil` of further portions.",
  ),
  nextCursor: doc(z.string().nullable(), "The `cursor` of the next portion. Null: this was the last.", null),
}));
export type MatchingResult = z.infer<typeof MatchingResult>;

export const UndoEmails = named("UndoEmailUpdate", () => ({ id: doc(UndoId, "The `undo.id` of the update.") }), {
  example: { id: "3n5vXw0pQ2rT8yZa6bCd" },
});

export const UndoneEmails = named("UndoneEmailUpdate", () => ({
  restored: doc(z.int(), "Number of restored emails.", 500),
  changed: doc(z.int(), "Number of emails that were changed or deleted since then. They were not restored.", 0),
  hasMore: doc(z.boolean(), "Whether more emails are to be restored: send the same request again.", false),
}));
export type UndoneEmails = z.infer<typeof UndoneEmails>;
