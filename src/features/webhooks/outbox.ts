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
type Listener = { id: number; userId: number; eventTypes: readonly string[] };

const ROWS_A_ROUND = 50;
const MAX_ROUNDS = 10;
/** A receiver wants to know what happened, not to be flooded; the record itself is there for the asking. */
const MAX_PAYLOAD_CHARACTERS = 200_000;
/** A statement's rows are one value, of at most 2 MB; a character has up to three bytes. */
const MAX_VALUE_CHARACTERS = 600_000;
/** Of a few hundred bytes each. */
const DELIVERIES_A_VALUE = 2000;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const OUTBOX_KEPT_MS = 24 * 60 * 60 * 1000;

/** Turns what happened into messages, with a delivery for each endpoint that wants to hear of it. */
export async function fanOut(ctx: Context): Promise<void> {
  const broken: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [rows, listeners] = await ctx.db.batch([
      ctx.db
        .select()
        .from(outbox)
        .where(sql`${outbox.type} NOT IN ${anyOf(broken)}`)
        .orderBy(asc(outbox.id))
        .limit(ROWS_A_ROUND),
      ctx.db
        .select({ id: webhookEndpoints.id, userId: webhookEndpoints.userId, eventTypes: webhookEndpoints.eventTypes })
        .from(webhookEndpoints)
        .where(sql`enabled = 1`),
    ]);
    if (rows.length === 0) return;
    const brokenBefore = broken.length;
    for (const part of inParts(await render(ctx, rows, listeners, broken))) await settle(ctx, part, listeners);
    if (rows.length < ROWS_A_ROUND && broken.length === brokenBefore) return;
  }
}

/** A row of the outbox, and the message it becomes; null when nobody wants it. */
type Rendered = { row: OutboxRow; message: Message | null };

/** The rows of a type whose records cannot be read stay where they are, and keep no other from going out. */
async function render(
  ctx: Context,
  rows: readonly OutboxRow[],
  listeners: readonly Listener[],
  broken: string[],
): Promise<Rendered[]> {
  const rendered: Rendered[] = [];
  for (const type of new Set(rows.map((row) => row.type))) {
    const ofType = rows.filter((row) => row.type === type);
    const kind = findEventType(type);
    if (!kind) log("warn", "unknown_event_type", { type, requestId: ctx.requestId });
    if (!kind || !listeners.some((listener) => wants(listener, type))) {
      rendered.push(...ofType.map((row) => ({ row, message: null })));
      continue;
    }
    try {
      const records = await kind.load(ctx, [...new Set(ofType.map(({ recordId }) => recordId))]);
      rendered.push(...ofType.map((row) => ({ row, message: messageOf(kind, row, records.get(row.recordId)) })));
    } catch (error) {
      broken.push(type);
      log("error", "event_not_rendered", { type, requestId: ctx.requestId, ...errorFields(error) });
    }
  }
  return rendered;
}

export function wants({ eventTypes }: Pick<Listener, "eventTypes">, type: string): boolean {
  return eventTypes.length === 0 || eventTypes.includes(type);
}

/** What is one person's own is told to nobody, once the record that says whose it is has gone. */
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

/** As few parts as fit the database's values: usually one. */
function inParts(rendered: readonly Rendered[]): Rendered[][] {
  const parts: Rendered[][] = [];
  let room = 0;
  for (const each of rendered) {
    // Quotes are escaped when the payload becomes part of the value.
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
 * Writes messages and deliveries and takes the rows off the outbox, in one batch. Whoever comes second finds
 * the rows gone, and then writes nothing: each row becomes one message, however many drains run.
 */
async function settle(ctx: Context, part: readonly Rendered[], listeners: readonly Listener[]): Promise<void> {
  const messages = part.flatMap(({ message }) => (message ? [message] : []));
  const deliveries = messages.flatMap((message) =>
    listeners
      .filter(({ userId }) => message.onlyFor === undefined || message.onlyFor === userId)
      .filter((listener) => wants(listener, message.type))
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

/** Many endpoints make more of them than one value holds. */
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

/** Nightly: messages nobody asks for any more, with their deliveries, and what could never be rendered. */
export async function purgeWebhookHistory(ctx: Context): Promise<void> {
  const before = (ms: number) => new Date(ctx.now.getTime() - ms);
  await purge(ctx.db, webhookMessages, lt(webhookMessages.createdAt, before(KEPT_MS)));
  await purge(ctx.db, outbox, lt(outbox.at, before(OUTBOX_KEPT_MS)));
}

/** Whether there is anything to do, in one cheap question. */
export async function lookAround(ctx: Context): Promise<{ hasEndpoints: boolean; hasWork: boolean }> {
  const [row] = await ctx.db.all<{ endpoints: number; work: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM webhook_endpoints WHERE enabled = 1) AS endpoints,
      EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM webhook_deliveries
        WHERE status = 'pending' AND attempts = 0 AND next_attempt_at <= ${Date.now()}) AS work`,
  );
  return { hasEndpoints: row?.endpoints === 1, hasWork: row?.work === 1 };
}
