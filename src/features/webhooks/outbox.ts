import { asc, inArray, lt, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf, inParts, selectColumns, selectRows } from "../../db/bulk.ts";
import { purge } from "../../db/purge.ts";
import { outbox, webhookDeliveries, webhookEndpoints, webhookMessages } from "../../db/schema/webhooks.ts";
import { randomToken } from "../../lib/crypto.ts";
import type { Lane } from "../../lib/queue-messages.ts";
import { errorFields, log } from "../../log.ts";
import { selectLanes } from "./due.ts";
import { noneEnabled } from "./enabled-endpoints.ts";
import { type EventType, findEventType } from "./event-types.ts";

type OutboxRow = typeof outbox.$inferSelect;
type Message = typeof webhookMessages.$inferInsert & {
  outboxId: number;
  onlyFor: number | undefined;
  onlyTo: number | undefined;
};
type Endpoint = { eventTypes: readonly string[] };

const ROWS_A_ROUND = 50;
export const MAX_ROUNDS = 4;
/** Receivers may limit the size of a request. The whole record can be read through the API. */
const MAX_PAYLOAD_CHARACTERS = 200_000;
const MESSAGES_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Turns events in the outbox into messages, with a delivery for each endpoint that subscribes to them. Returns whether
 * there is more to do.
 */
export async function createMessages(ctx: Context): Promise<boolean> {
  const changesBefore = noneEnabled.changes;
  const failedTypes: string[] = [];
  for (let round = 0; round < MAX_ROUNDS && !ctx.signal?.aborted; round++) {
    const [rows, endpoints] = await ctx.db.batch([
      ctx.db
        .select()
        .from(outbox)
        .where(sql`${outbox.type} NOT IN ${anyOf(failedTypes)}`)
        .orderBy(asc(outbox.id))
        .limit(ROWS_A_ROUND),
      ctx.db.select({ eventTypes: webhookEndpoints.eventTypes }).from(webhookEndpoints).where(sql`enabled = 1`),
    ]);
    if (endpoints.length === 0) noneEnabled.remember(changesBefore);
    const failedBefore = failedTypes.length;
    const rendered = await render(ctx, rows, endpoints, failedTypes);
    for (const part of inParts(rendered, ({ message }) => message)) await storeMessages(ctx, part);
    if (rows.length < ROWS_A_ROUND && failedTypes.length === failedBefore) return false;
  }
  return true;
}

/** An outbox row and its message; null when no endpoint gets it. */
type Rendered = { row: OutboxRow; message: Message | null };

/** Rows of a type whose records cannot be read stay in the outbox and do not block the other types. */
async function render(ctx: Context, rows: OutboxRow[], endpoints: Endpoint[], failedTypes: string[]) {
  const rendered: Rendered[] = [];
  for (const type of new Set(rows.map((row) => row.type))) {
    const ofType = rows.filter((row) => row.type === type);
    const kind = findEventType(type);
    if (!kind) log("warn", "unknown_event_type", { type, requestId: ctx.requestId });
    if (!kind || !(kind.endpointOf || endpoints.some((endpoint) => subscribes(endpoint, type)))) {
      rendered.push(...ofType.map((row) => ({ row, message: null })));
      continue;
    }
    try {
      const records = await kind.load(ctx, [...new Set(ofType.map(({ recordId }) => recordId))]);
      rendered.push(...ofType.map((row) => ({ row, message: messageOf(kind, row, records.get(row.recordId)) })));
    } catch (error) {
      failedTypes.push(type);
      log("error", "event_not_rendered", { type, requestId: ctx.requestId, ...errorFields(error) });
    }
  }
  return rendered;
}

function subscribes({ eventTypes }: Endpoint, type: string): boolean {
  return eventTypes.length === 0 || eventTypes.includes(type);
}

/** An event of one person or endpoint is not sent once its record is deleted: the record says whose event it is. */
function messageOf({ personOf, endpointOf }: EventType, row: OutboxRow, record: object | undefined): Message | null {
  if ((personOf || endpointOf) && !record) return null;
  const id = /^\d+$/.test(row.recordId) ? Number(row.recordId) : row.recordId;
  const whole = payloadOf(row.type, row.at, record ?? { id, deleted: true });
  const payload = whole.length <= MAX_PAYLOAD_CHARACTERS ? whole : payloadOf(row.type, row.at, { id, tooLarge: true });
  const onlyFor = record && personOf?.(record);
  const onlyTo = endpointOf?.(row.recordId);
  return { id: newMessageId(), type: row.type, payload, outboxId: row.id, onlyFor, onlyTo, createdAt: new Date() };
}

export function payloadOf(type: string, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

export function newMessageId(): string {
  return `msg_${randomToken()}`;
}

/**
 * Writes messages and deliveries, deletes the outbox rows in the same batch, and hands the deliveries to the queue. A
 * parallel run finds the rows gone and writes nothing, so each row becomes one message.
 */
async function storeMessages(ctx: Context, part: readonly Rendered[]): Promise<void> {
  const messages = part.flatMap(({ message }) => (message ? [message] : []));
  const ids = anyOf(part.map(({ row }) => row.id));
  const [, stored, , lanes] = await ctx.db.batch([
    ctx.db
      .insert(webhookMessages)
      .select(
        sql`${selectRows(webhookMessages, messages)} AND json_extract(value, '$.outbox_id') IN (SELECT id FROM outbox)`,
      ),
    insertDeliveries(ctx, messages),
    ctx.db.delete(outbox).where(inArray(outbox.id, ids)),
    selectLanes(ctx),
  ]);
  const laneOf = new Map(lanes.map(({ id, lane }) => [id, lane]));
  const served = (lane: Lane) => stored.filter(({ endpointId }) => laneOf.get(endpointId) === lane);
  ctx.enqueue(served("jobs").map(({ id }) => ({ kind: "webhook.delivery", id, attempt: 1 })));
  const others = [...new Set(served("retries").map(({ endpointId }) => endpointId))];
  ctx.enqueue(
    others.map((id) => ({ kind: "webhook.endpoint", id })),
    { lane: "retries" },
  );
}

function insertDeliveries(ctx: Context, messages: readonly Message[]) {
  const recipients = JSON.stringify(messages.map(({ id, onlyFor, onlyTo }) => ({ id, onlyFor, onlyTo })));
  return ctx.db
    .insert(webhookDeliveries)
    .select(
      sql`${selectColumns(webhookDeliveries, {
        id: sql`lower(hex(randomblob(16)))`,
        messageId: sql`m.id`,
        endpointId: sql`e.id`,
        type: sql`m.type`,
        status: sql`'pending'`,
        attempts: sql`0`,
        nextAttemptAt: sql`max(m.created_at, coalesce(e.paused_until, 0))`,
        createdAt: sql`m.created_at`,
      })}
      FROM json_each(${recipients}) r JOIN webhook_messages m ON m.id = r.value ->> 'id'
      JOIN webhook_endpoints e ON e.enabled = 1 AND coalesce(r.value ->> 'onlyFor', e.user_id) = e.user_id
        AND iif(r.value ->> 'onlyTo' IS NULL,
          e.event_types = '[]' OR m.type IN (SELECT value FROM json_each(e.event_types)),
          e.id = r.value ->> 'onlyTo')`,
    )
    .returning({ id: webhookDeliveries.id, endpointId: webhookDeliveries.endpointId });
}

/** Deletes old messages with their deliveries, but none that is still to be sent. Returns how many. */
export function purgeWebhookHistory(ctx: Context): Promise<number> {
  const isOld = lt(webhookMessages.createdAt, new Date(ctx.now.getTime() - MESSAGES_KEPT_MS));
  const isOwed = sql`EXISTS (SELECT 1 FROM ${webhookDeliveries}
    WHERE message_id = ${webhookMessages.id} AND status = 'pending')`;
  return purge(ctx.db, webhookMessages, sql`${isOld} AND NOT ${isOwed}`, ctx.signal);
}
