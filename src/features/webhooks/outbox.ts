import { asc, inArray, lt, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf, selectRows } from "../../db/bulk.ts";
import { purge } from "../../db/purge.ts";
import { outbox, webhookDeliveries, webhookEndpoints, webhookMessages } from "../../db/schema/webhooks.ts";
import { randomToken } from "../../lib/crypto.ts";
import { errorFields, log } from "../../log.ts";
import { type EventType, findEventType } from "./event-types.ts";

type OutboxRow = typeof outbox.$inferSelect;
type Message = typeof webhookMessages.$inferInsert & { outboxId: number; onlyFor: number | undefined };
type Endpoint = { id: number; userId: number; eventTypes: readonly string[] };

const ROWS_A_ROUND = 50;
const MAX_ROUNDS = 10;
/** Receivers may limit the size of a request. The whole record can be read through the API. */
const MAX_PAYLOAD_CHARACTERS = 200_000;
/** A statement takes its rows as one value. D1 allows 2 MB, and a character can have three bytes. */
const MAX_VALUE_CHARACTERS = 600_000;
/** A delivery has a few hundred bytes. */
const DELIVERIES_A_VALUE = 2000;
const MESSAGES_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const OUTBOX_KEPT_MS = 24 * 60 * 60 * 1000;

/** Turns the events in the outbox into messages, with a delivery for each endpoint that subscribes to them. */
export async function createMessages(ctx: Context, { signal }: { signal?: AbortSignal | null } = {}): Promise<void> {
  const failedTypes: string[] = [];
  for (let round = 0; round < MAX_ROUNDS && !signal?.aborted; round++) {
    const [rows, endpoints] = await ctx.db.batch([
      ctx.db
        .select()
        .from(outbox)
        .where(sql`${outbox.type} NOT IN ${anyOf(failedTypes)}`)
        .orderBy(asc(outbox.id))
        .limit(ROWS_A_ROUND),
      ctx.db
        .select({ id: webhookEndpoints.id, userId: webhookEndpoints.userId, eventTypes: webhookEndpoints.eventTypes })
        .from(webhookEndpoints)
        .where(sql`enabled = 1`),
    ]);
    if (rows.length === 0) return;
    const failedBefore = failedTypes.length;
    for (const part of inParts(await render(ctx, rows, endpoints, failedTypes))) {
      await storeMessages(ctx, part, endpoints);
    }
    if (rows.length < ROWS_A_ROUND && failedTypes.length === failedBefore) return;
  }
}

/** An outbox row and its message; null when no endpoint gets it. */
type Rendered = { row: OutboxRow; message: Message | null };

/** Rows of a type whose records cannot be read stay in the outbox and do not block the other types. */
async function render(
  ctx: Context,
  rows: readonly OutboxRow[],
  endpoints: readonly Endpoint[],
  failedTypes: string[],
): Promise<Rendered[]> {
  const rendered: Rendered[] = [];
  for (const type of new Set(rows.map((row) => row.type))) {
    const ofType = rows.filter((row) => row.type === type);
    const kind = findEventType(type);
    if (!kind) log("warn", "unknown_event_type", { type, requestId: ctx.requestId });
    if (!kind || !endpoints.some((endpoint) => subscribes(endpoint, type))) {
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

/** An event of one person is not sent once its record is deleted: the record says whose event it is. */
function messageOf(kind: EventType, row: OutboxRow, record: object | undefined): Message | null {
  if (!kind.personOf) return toMessage(row, record, undefined);
  return record ? toMessage(row, record, kind.personOf(record)) : null;
}

function toMessage(row: OutboxRow, record: object | undefined, onlyFor: number | undefined): Message {
  const id = /^\d+$/.test(row.recordId) ? Number(row.recordId) : row.recordId;
  const whole = payloadOf(row.type, row.at, record ?? { id, deleted: true });
  const payload = whole.length <= MAX_PAYLOAD_CHARACTERS ? whole : payloadOf(row.type, row.at, { id, tooLarge: true });
  return { id: newMessageId(), type: row.type, payload, outboxId: row.id, onlyFor, createdAt: new Date() };
}

export function payloadOf(type: string, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}

export function newMessageId(): string {
  return `msg_${randomToken()}`;
}

/** Splits the rows so that each part fits into one value of the database. */
function inParts(rendered: readonly Rendered[]): Rendered[][] {
  const parts: Rendered[][] = [];
  let room = 0;
  for (const each of rendered) {
    // The payload's quotes are escaped inside the value, so its own length would be too small.
    const size = JSON.stringify(each.message).length;
    const part = parts.at(-1);
    if (part && size <= room) part.push(each);
    else {
      parts.push([each]);
      room = MAX_VALUE_CHARACTERS;
    }
    room -= size;
  }
  return parts;
}

/**
 * Writes messages and deliveries and deletes the outbox rows, in one batch. A parallel run finds the rows gone and
 * writes nothing, so each row becomes one message.
 */
async function storeMessages(ctx: Context, part: readonly Rendered[], endpoints: readonly Endpoint[]): Promise<void> {
  const messages = part.flatMap(({ message }) => (message ? [message] : []));
  const deliveries = messages.flatMap((message) =>
    endpoints
      .filter(({ userId }) => message.onlyFor === undefined || message.onlyFor === userId)
      .filter((endpoint) => subscribes(endpoint, message.type))
      .map(({ id }) => newDelivery(message, id)),
  );
  const ids = part.map(({ row }) => row.id);
  await ctx.db.batch([
    ctx.db
      .insert(webhookMessages)
      .select(
        sql`${selectRows(webhookMessages, messages)} AND json_extract(value, '$.outbox_id') IN (SELECT id FROM outbox)`,
      ),
    ...insertDeliveries(ctx, deliveries),
    ctx.db.delete(outbox).where(inArray(outbox.id, anyOf(ids))),
  ]);
}

function insertDeliveries(ctx: Context, deliveries: readonly ReturnType<typeof newDelivery>[]) {
  const parts = Array.from({ length: Math.ceil(deliveries.length / DELIVERIES_A_VALUE) }, (_, at) =>
    deliveries.slice(at * DELIVERIES_A_VALUE, (at + 1) * DELIVERIES_A_VALUE),
  );
  return parts.map((part) =>
    ctx.db.insert(webhookDeliveries).select(
      sql`${selectRows(webhookDeliveries, part)}
        AND json_extract(value, '$.message_id') IN (SELECT id FROM webhook_messages)
        AND json_extract(value, '$.endpoint_id') IN (SELECT id FROM webhook_endpoints WHERE enabled = 1)`,
    ),
  );
}

export function newDelivery(message: Pick<Message, "id" | "type" | "createdAt">, endpointId: number) {
  return {
    id: randomToken(),
    messageId: message.id,
    endpointId,
    type: message.type,
    status: "pending" as const,
    attempts: 0,
    nextAttemptAt: message.createdAt,
    createdAt: message.createdAt,
  };
}

/** Deletes old messages with their deliveries, and events that could not be rendered. */
export async function purgeWebhookHistory(ctx: Context): Promise<number> {
  const before = (ms: number) => new Date(ctx.now.getTime() - ms);
  const messages = await purge(
    ctx.db,
    webhookMessages,
    lt(webhookMessages.createdAt, before(MESSAGES_KEPT_MS)),
    ctx.signal,
  );
  return messages + (await purge(ctx.db, outbox, lt(outbox.at, before(OUTBOX_KEPT_MS)), ctx.signal));
}

/** Whether there is anything to send, in one cheap query. */
export async function checkForWork(ctx: Context): Promise<{ hasEndpoints: boolean; hasWork: boolean }> {
  const [row] = await ctx.db.all<{ endpoints: number; work: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) AS endpoints,
      EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM webhook_deliveries
        WHERE status = 'pending' AND attempts = 0 AND next_attempt_at <= ${Date.now()}) AS work`,
  );
  return { hasEndpoints: row?.endpoints === 1, hasWork: row?.work === 1 };
}
