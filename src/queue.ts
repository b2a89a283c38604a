import type { Context } from "./context.ts";
import { intercept } from "./db/client.ts";
import { ATTEMPT_SECONDS } from "./features/ai-models/later.ts";
import { continueSync } from "./features/bookings/sync.ts";
import { analyseOwed } from "./features/emails/analysis/owed.ts";
import { continueRun } from "./features/emails/rules/apply.ts";
import { sendScheduled } from "./features/emails/sending/scheduled.ts";
import { type Budget, runWithin } from "./features/jobs/run-job.ts";
import { syncOwed } from "./features/mailbox-sync/service.ts";
import { deliverReminders } from "./features/reminders/deliver.ts";
import { fireDue } from "./features/reminders/fire.ts";
import { rewriteCaptions } from "./features/stream/captions/rewrite.ts";
import { runTransfer } from "./features/transfer-runners/service.ts";
import { deliver } from "./features/webhooks/delivery.ts";
import { sendDue } from "./features/webhooks/due.ts";
import { announceEvents, sendOutbox } from "./features/webhooks/service.ts";
import { assertType } from "./lib/cast.ts";
import { type Lane, QueueMessage } from "./lib/queue-messages.ts";
import { errorFields, log } from "./log.ts";

type Kind = QueueMessage["kind"];

interface Handler<Message> extends Budget {
  run(ctx: Context, message: Message, lane: Lane): Promise<unknown>;
  /** Set if it makes changes that raise outbound events. */
  raisesEvents?: true;
}

export type Handlers = { [Name in Kind]: Handler<Extract<QueueMessage, { kind: Name }>> };

/**
 * Kind of message → its verb and budgets. A test checks that as many as run at once fit into one invocation; what does
 * not fit any more is sent again. A verb must do nothing for a message that came twice, and the cron must find the work
 * of one that never comes.
 */
export const HANDLERS: Handlers = {
  "webhook.outbox": { run: sendOutbox, seconds: 120, statements: 190 },
  "webhook.delivery": { run: deliver, seconds: 60, statements: 20 },
  "webhook.endpoint": { run: sendDue, seconds: 60, statements: 20 },
  "email.analysis": { run: analyseOwed, seconds: ATTEMPT_SECONDS, statements: 40, raisesEvents: true },
  "email.rule": { run: continueRun, seconds: 120, statements: 49, raisesEvents: true },
  "email.send": { run: sendScheduled, seconds: 120, statements: 20, raisesEvents: true },
  "reminder.fire": { run: fireDue, seconds: 120, statements: 190, raisesEvents: true },
  "reminder.deliver": { run: deliverReminders, seconds: 240, statements: 95, raisesEvents: true },
  "stream.captions": { run: rewriteCaptions, seconds: ATTEMPT_SECONDS, statements: 40 },
  "transfer.slice": { run: runTransfer, seconds: 120, statements: 190 },
  "mailbox.sync": { run: syncOwed, seconds: 120, statements: 190, raisesEvents: true },
  "bookings.sync": { run: continueSync, seconds: 300, statements: 190, raisesEvents: true },
};

/** The budget of an invocation: the platform's limits are 15 minutes and 1,000 statements. */
export const BATCH = { seconds: 10 * 60, statements: 980 };
/** A Worker may have six open connections, and the database needs one. */
export const AT_ONCE = 5;

const OUTCOMES = ["done", "failed", "invalid", "postponed"] as const;
type Outcome = (typeof OUTCOMES)[number];

/**
 * Handles the messages of a batch, a few at a time, each within its own budgets. Never throws, since the platform would
 * then deliver all of them again: one that fails is logged, and the cron sends its work again.
 */
export async function runQueue(ctx: Context, batch: MessageBatch, handlers: Handlers = HANDLERS): Promise<void> {
  const startedAt = Date.now();
  const lane: Lane = batch.queue.endsWith("retries") ? "retries" : "jobs";
  const outcomes: Outcome[] = [];
  const kinds = new Set<Kind>();
  let spent = 0;
  let reserved = 0;
  const db = intercept(ctx.db, (statements, send) => {
    spent += statements.length;
    return send();
  });

  async function take(body: unknown): Promise<Outcome> {
    const { data: message } = QueueMessage.safeParse(body);
    if (!message) {
      log("warn", "queue_message_invalid", { kind: kindOf(body), lane, requestId: ctx.requestId });
      return "invalid";
    }
    kinds.add(message.kind);
    const { run, seconds, statements } = handlerOf(message, handlers);
    const hasTime = Date.now() - startedAt <= BATCH.seconds * 1000;
    if (!hasTime || spent + reserved + statements > BATCH.statements) {
      await ctx.enqueue([message], { lane });
      return "postponed";
    }
    reserved += statements;
    try {
      const own = { ...ctx, db, bookkeeping: db, now: new Date() };
      await runWithin(own, { run: (within) => run(within, message, lane), seconds, statements });
      return "done";
    } catch (error) {
      log("error", "queue_message_failed", { kind: message.kind, requestId: ctx.requestId, ...errorFields(error) });
      return "failed";
    } finally {
      reserved -= statements;
    }
  }

  const messages = batch.messages.values();
  const worker = async () => {
    for (const message of messages) {
      outcomes.push(await take(message.body));
      message.ack();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if ([...kinds].some((kind) => handlers[kind].raisesEvents)) announceEvents(ctx);
  const figures = OUTCOMES.map((name) => [name, outcomes.filter((outcome) => outcome === name).length]);
  log("info", "queue_batch", {
    lane,
    kinds: [...kinds].sort().join(" "),
    count: outcomes.length,
    ...Object.fromEntries(figures),
    ms: Date.now() - startedAt,
    requestId: ctx.requestId,
  });
}

/** The handler of the message's own kind, which the compiler cannot see belong together. */
function handlerOf({ kind }: QueueMessage, handlers: Handlers): Handler<QueueMessage> {
  return assertType<Handler<QueueMessage>>(handlers[kind]);
}

/** For the log: the kind if there is one, and nothing else of a message that is not ours. */
function kindOf(body: unknown): string | null {
  const kind = typeof body === "object" && body !== null && "kind" in body ? body.kind : null;
  return typeof kind === "string" ? kind.slice(0, 40) : null;
}
