import * as z from "zod";

/** Counted from 1. A claim succeeds once for each. */
const attempt = z.int().min(1);

/**
 * The work that features hand to the queue. Ids only: what is owed is in the database, and a message may come twice, late
 * or never. Add a kind here and its handler in `queue.ts`.
 */
export const QueueMessage = z.discriminatedUnion("kind", [
  /** The outbox has events that are not messages yet. */
  z.strictObject({ kind: z.literal("webhook.outbox") }),
  /** A webhook delivery is due for the attempt of this number. */
  z.strictObject({ kind: z.literal("webhook.delivery"), id: z.string(), attempt }),
  /** A webhook endpoint may be sent what is due: its pause is over, or it works again. */
  z.strictObject({ kind: z.literal("webhook.endpoint"), id: z.int() }),
  /** An inbound email is to be analyzed. */
  z.strictObject({ kind: z.literal("email.analysis"), id: z.int(), attempt }),
  /** A rule is being applied to stored emails; the next step looks at those with ids below this one. */
  z.strictObject({ kind: z.literal("email.rule"), id: z.int(), below: z.int() }),
  /** A scheduled email is to be sent. */
  z.strictObject({ kind: z.literal("email.send"), id: z.int() }),
  /** A model is to write the captions of a topic, such as `go_live 7`, in place of the built-in writer. */
  z.strictObject({ kind: z.literal("stream.captions"), topic: z.string().max(40), attempt }),
  /** A booking sync stopped at its limit and is to continue from there. */
  z.strictObject({
    kind: z.literal("bookings.sync"),
    trigger: z.enum(["manual", "cron"]),
    from: z.strictObject({ resumeAt: z.int().nullable(), fullResumeAt: z.int().nullable() }),
  }),
  /** Reminders may be due; until when to come back for those whose time comes. */
  z.strictObject({ kind: z.literal("reminder.fire"), until: z.int() }),
  /** Reminders that have fired are to be sent. */
  z.strictObject({ kind: z.literal("reminder.deliver"), ids: z.array(z.int()).max(100) }),
  /** A mailbox is to be read. */
  z.strictObject({ kind: z.literal("mailbox.sync"), id: z.int() }),
  /** An import or export is to go on with its slice of this number. */
  z.strictObject({ kind: z.literal("transfer.slice"), id: z.string(), slice: z.int().min(1) }),
]);
export type QueueMessage = z.infer<typeof QueueMessage>;
export type QueueMessageOf<Kind extends QueueMessage["kind"]> = Extract<QueueMessage, { kind: Kind }>;

/** `retries` is for what failed before or is slow, so that it keeps nothing else waiting. */
export type Lane = "jobs" | "retries";

export interface SendOptions {
  /** Default: `jobs`. */
  lane?: Lane;
  /** At most a day, which is the longest that the platform allows. Default: none. */
  delaySeconds?: number;
}
