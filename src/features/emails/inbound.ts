import type { Context } from "../../context.ts";
import { parseAddress } from "../../lib/addresses.ts";
import { toHex } from "../../lib/encoding.ts";
import { AppError } from "../../lib/errors.ts";
import { inboxTag } from "../../lib/tags.ts";
import { errorFields, log } from "../../log.ts";
import { ownerTimeZone } from "../people/owners.ts";
import { readAnalysis } from "./analysis/service.ts";
import { parseMail } from "./parse-mime.ts";
import { storeMail } from "./store.ts";

/** A message as the platform hands it over, with the addresses of its envelope. */
export interface InboundMessage {
  from: string;
  to: string;
  raw: ReadableStream<Uint8Array>;
  rawSize: number;
}

/** A part of a mail that speaks iCalendar. */
export interface CalendarPart {
  content: string;
  from: string;
  /** The mail it came in; null when another sender's mail is kept under its Message-ID. */
  emailId: number | null;
}

interface ReceiveOptions {
  /** Called for each part once the mail is stored, also when a mail arrives again. */
  onCalendarPart?(ctx: Context, part: CalendarPart): Promise<unknown>;
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
  const { calendarParts, messageId, to, ...mail } = await parseMail(raw);
  const from = mail.from ?? parseAddress(message.from) ?? { name: "", email: message.from };
  // What comes by mail is for the owner: its times mean the clocks they live by.
  const timeZone = await ownerTimeZone(ctx);
  const { row, created } = await storeMail(
    ctx,
    {
      ...mail,
      // The same bytes again are the same mail, also when its sender did not number it.
      messageId: messageId ?? `<${await digest(raw)}@no-message-id.invalid>`,
      direction: "inbound",
      source: "inbound",
      from,
      to: to.length > 0 ? to : [{ name: "", email: message.to }],
      tags: inboxTag(message.to),
      status: "inbox",
      isRead: false,
      isStarred: false,
      receivedAt: ctx.now,
    },
    { createTasks: ctx.config.INBOUND_TASKS, deliveredTo: message.to, timeZone },
  );
  log("info", "mail_received", { emailId: row.id, isNew: created, bytes: raw.length, requestId: ctx.requestId });
  // A Message-ID is no secret: whoever sends one again speaks for themselves, not for who sent it first.
  const emailId = row.fromEmail === from.email ? row.id : null;
  for (const content of calendarParts) {
    try {
      await onCalendarPart?.(ctx, { content, from: from.email, emailId });
    } catch (error) {
      // The mail is safe by now; a calendar that cannot be read is no reason to send it back.
      const place = { emailId: row.id, requestId: ctx.requestId };
      // Anyone can send one that breaks a rule; that is no fault of ours.
      if (error instanceof AppError) log("warn", "calendar_part_failed", { ...place, message: error.message });
      else log("error", "calendar_part_failed", { ...place, ...errorFields(error) });
    }
  }
  if (created) ctx.defer(analyseLater(ctx, row.id, timeZone));
  return { stored: true, emailId: row.id, isNew: created };
}

/** The sending server need not wait for it, and a failure is no reason to send the mail back. */
async function analyseLater(ctx: Context, emailId: number, timeZone: string): Promise<void> {
  try {
    await readAnalysis(ctx, emailId, timeZone);
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
