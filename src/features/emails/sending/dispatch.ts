import { type Context, timeZoneOf } from "../../../context.ts";
import type { WrittenDraft } from "../../../db/schema/emails.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { byteLength } from "../../../lib/text.ts";
import { DAY_MS, lowerBound } from "../../../lib/time-zone.ts";
import type { Mailer } from "../../../providers/mail.ts";
import { ownMessageId, sendStored } from "../delivery.ts";
import { followUpFrom } from "../follow-up.ts";
import type { EmailRow } from "../record.ts";
import { type StoreOptions, storeEmail } from "../store.ts";
import { consumeUploads } from "../uploads/service.ts";
import { identityOf, type Outgoing } from "./compose.ts";
import type { Desk, Letter } from "./letter.ts";
import { enqueueScheduled } from "./scheduled.ts";

const MAX_AHEAD_MS = 366 * DAY_MS;
const MAX_WRITTEN_BYTES = 200_000;

interface DispatchOptions {
  /** Statements of the batch that stores the email, such as those that remove its draft. */
  first?: StoreOptions["first"];
  /** The draft that it is made of, for taking it back while it waits. */
  writtenAs?: WrittenDraft;
  /** For how long it waits at least, so that it can be taken back. */
  undoSeconds?: number;
  /** Undoes what `first` did, when it is certain that nothing left. */
  onRefused?(row: EmailRow): Promise<unknown>;
}

/** Sends an email at once, or stores it for its time. */
export async function dispatch(
  ctx: Context,
  mailer: Mailer,
  letter: Letter,
  desk: Desk,
  outgoing: Outgoing,
  { first, onRefused, writtenAs, undoSeconds = 0 }: DispatchOptions = {},
): Promise<EmailRow> {
  const sendAt = timeOf(ctx, letter, desk, undoSeconds);
  const all: StoreOptions["first"] = (own) => [...consumeUploads(own, desk.uploads), ...(first?.(own) ?? [])];
  const now = { ...outgoing, receivedAt: ctx.now, ...followUpFrom(ctx.now, letter.followUpDays) };
  if (sendAt === null) return sendStored(ctx, mailer, now, { first: all, onRefused });
  // Its time never changes, so a scheduled email is listed, from the start, where it belongs once it has left.
  const later = { ...outgoing, ...followUpFrom(sendAt, letter.followUpDays) };
  const email = {
    ...later,
    messageId: ownMessageId(mailer),
    receivedAt: sendAt,
    sendAt,
    delivery: "scheduled",
  } as const;
  const { row } = await storeEmail(
    ctx,
    { ...email, writtenAs: writtenAs && ifShort(writtenAs) },
    { first: all, isPlaced: true },
  );
  enqueueScheduled(ctx, [{ id: row.id, sendAt }]);
  return row;
}

/** A long one is taken back as it was to be sent, with signature and quote: a row has room for 2 MB. */
function ifShort(draft: WrittenDraft): WrittenDraft | undefined {
  return byteLength(JSON.stringify(draft)) <= MAX_WRITTEN_BYTES ? draft : undefined;
}

function timeOf(ctx: Context, letter: Letter, desk: Desk, undoSeconds: number): Date | null {
  const now = ctx.now.getTime();
  if (letter.sendAt === undefined || letter.sendAt === null) {
    const wait = Math.max(undoSeconds, identityOf(letter, desk)?.undoSendSeconds ?? 0);
    return wait > 0 ? new Date(now + wait * 1000) : null;
  }
  const at = lowerBound(() => timeZoneOf(ctx), letter.sendAt);
  if (at.getTime() <= now) throw validationFailed({ path: "sendAt", message: "must be in the future" });
  if (at.getTime() > now + MAX_AHEAD_MS) throw validationFailed({ path: "sendAt", message: "must be within a year" });
  return at;
}
