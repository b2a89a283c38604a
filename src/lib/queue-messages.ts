import * as z from "zod";

/**
 * The work that features hand to the queue. Ids only: what is owed is in the database, and a message may come twice, late
 * or never. Add a kind here and its handler in `queue.ts`.
 */
export const QueueMessage = z.discriminatedUnion("kind", [
  /** The outbox has events that are not messages yet. */
  z.strictObject({ kind: z.literal("webhook.outbox") }),
  /** A webhook delivery is due for the attempt of this number. */
  z.strictObject({ kind: z.literal("webhook.delivery"), id: z.string(), attempt: z.int() }),
  /** A webhook endpoint may be sent what is due: its pause is over, or it works again. */
  z.strictObject({ kind: z.literal("webhook.endpoint"), id: z.int() }),
]);
export type QueueMessage = z.infer<typeof QueueMessage>;

/** `retries` is for what failed before or is slow, so that it keeps nothing else waiting. */
export type Lane = "jobs" | "retries";

export interface SendOptions {
  /** Default: `jobs`. */
  lane?: Lane;
  /** At most a day, which is the longest that the platform allows. Default: none. */
  delaySeconds?: number;
}
