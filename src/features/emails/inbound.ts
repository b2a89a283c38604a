import type { Context } from "../../context.ts";
import { parseAddress } from "../../lib/addresses.ts";
import { toHex } from "../../lib/encoding.ts";
import { inboxTag } from "../../lib/tags.ts";
import { errorFields, log } from "../../log.ts";
import { readAnalysis } from "./analysis/service.ts";
import { type CalendarPart, parseMail } from "./mime.ts";
import { storeMail } from "./store.ts";

export type { CalendarPart } from "./mime.ts";

/** A message as the platform hands it over, with the addresses of its envelope. */
export interface InboundMessage {
  from: string;
  to: string;
  raw: ReadableStream<Uint8Array>;
  rawSize: number;
}

interface ReceiveOptions {
  /** Called for each iCalendar part once the mail is stored, also when a mail arrives again. */
  onCalendarPart?(ctx: Context, part: CalendarPart & { emailId: number; from: string }): Promise<unknown>;
}

export type Receipt =
  | { stored: true; emailId: number; isNew: boolean }
  /** Why the sender gets the message back. */
  | { stored: false; reason: string };

/** What a Worker's memory takes, with room for the decoded parts. The platform itself stops at 25 MiB. */
const MAX_RAW_BYTES = 26 * 1024 * 1024;

/**
 * Takes a mail in. Throws only when it could not be stored right now: the sending server then keeps it
 * and tries again.
 */
export async function receiveMail(
  ctx: Context,
  message: InboundMessage,
  { onCalendarPart }: ReceiveOptions = {},
): Promise<Receipt> {
  if (message.rawSize > MAX_RAW_BYTES) {
    return { stored: false, reason: "The message is larger than 25 MB. Send large files as links." };
  }
  const raw = await readAll(message.raw);
  const { calendarParts, messageId, from, to, ...mail } = await parseMail(raw);
  const { row, created } = await storeMail(
    ctx,
    {
      ...mail,
      // The same bytes again are the same mail, also when its sender did not number it.
      messageId: messageId ?? `<${await digest(raw)}@no-message-id.invalid>`,
      direction: "inbound",
      source: "inbound",
      from: from ?? parseAddress(message.from) ?? { name: "", email: message.from },
      to: to.length > 0 ? to : [{ name: "", email: message.to }],
      tags: inboxTag(message.to),
      status: "inbox",
      isRead: false,
      isStarred: false,
      receivedAt: ctx.now,
    },
    { createTasks: ctx.config.INBOUND_TASKS, deliveredTo: message.to },
  );
  log("info", "mail_received", { emailId: row.id, isNew: created, bytes: raw.length, requestId: ctx.requestId });
  for (const part of calendarParts) {
    try {
      await onCalendarPart?.(ctx, { ...part, emailId: row.id, from: row.fromEmail });
    } catch (error) {
      // The mail is safe by now; a calendar that cannot be read is no reason to send it back.
      log("error", "calendar_part_failed", { emailId: row.id, requestId: ctx.requestId, ...errorFields(error) });
    }
  }
  if (created) ctx.defer(analyseLater(ctx, row.id));
  return { stored: true, emailId: row.id, isNew: created };
}

/** The sending server need not wait for it, and a failure is no reason to send the mail back. */
async function analyseLater(ctx: Context, emailId: number): Promise<void> {
  try {
    await readAnalysis(ctx, emailId, "UTC");
  } catch (error) {
    log("error", "analysis_failed", { emailId, requestId: ctx.requestId, ...errorFields(error) });
  }
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}
