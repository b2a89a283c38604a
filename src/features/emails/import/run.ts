import type { Context } from "../../../context.ts";
import { assertType } from "../../../lib/cast.ts";
import { type EmailStatus, isAsideStatus } from "../../../lib/email-kinds.ts";
import { letOthersIn } from "../../../lib/let-others-in.ts";
import { isSeparator, type MboxMessage, splitMbox } from "../../../lib/mbox.ts";
import { MAX_TAGS, uniqueTags } from "../../../lib/tags.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { readObject } from "../../files/objects.ts";
import { discardFiles } from "../../files/service.ts";
import { listOwners } from "../../people/owners.ts";
import { type Outcome, type Runner, type Slice, TransferFailed } from "../../transfers/slices.ts";
import { sendToAnalysis } from "../analysis/owed.ts";
import { MAX_RAW_BYTES, receiveRaw } from "../raw-message.ts";
import { storeEmail } from "../store.ts";
import { flagsOf, receivedAtOf } from "./flags.ts";
import { pastEmail } from "./past.ts";
import type { EmailImport, EmailImportOptions } from "./schemas.ts";
import { NOTHING_YET } from "./service.ts";

type Result = EmailImport["result"];

interface Position {
  /** Where in the file the next message begins. */
  at: number;
  result: Result;
}

const SLICE_MS = 45_000;
const MAX_PROBLEMS = 100;
/** More than a `From ` line has. */
const HEAD_BYTES = 1024;
const TOO_LARGE = "It is larger than 25 MiB.";

export const emailImportRunner: Runner = {
  async run(ctx, slice) {
    const own = (await listOwners(ctx)).map(({ email }) => email);
    const position = assertType<Position | null>(slice.transfer.position) ?? { at: 0, result: NOTHING_YET };
    return new EmailImporter(ctx, slice, own).run(structuredClone(position));
  },
};

class EmailImporter {
  readonly #ctx: Context;
  readonly #slice: Slice;
  readonly #options: EmailImportOptions;
  /** Addresses of the owner: what they wrote is outbound. */
  readonly #own: readonly string[];
  readonly #startedAt = Date.now();

  constructor(ctx: Context, slice: Slice, own: readonly string[]) {
    this.#ctx = ctx;
    this.#slice = slice;
    this.#own = own;
    this.#options = assertType<EmailImportOptions>(slice.transfer.options);
  }

  async run(position: Position): Promise<Outcome | null> {
    const { fileKey, fileSize } = this.#slice.transfer;
    const size = fileSize ?? 0;
    for await (const message of this.#messages(position.at, size)) {
      await this.#importOne(message, position.result);
      position.at = message.end;
      await letOthersIn();
      if (this.#isFull() && position.at < size) {
        await this.#slice.commit({ position, done: doneOf(position.result) });
        return null;
      }
    }
    const done = doneOf(position.result);
    if (done === 0) throw new TransferFailed("The file has no email. Send a message (.eml) or a mailbox (.mbox).");
    await this.#slice.commit({ position: { ...position, at: size }, done, total: done });
    if (fileKey) this.#ctx.defer(discardFiles(this.#ctx, [fileKey], "r2"));
    return { result: position.result };
  }

  #isFull(): boolean {
    return this.#ctx.signal?.aborted === true || Date.now() - this.#startedAt > SLICE_MS;
  }

  async *#messages(at: number, size: number): AsyncGenerator<MboxMessage> {
    if (at >= size) return;
    const head = await this.#read(0, Math.min(HEAD_BYTES, size));
    if (isSeparator(new Uint8Array(await head.arrayBuffer()))) {
      yield* splitMbox((await this.#read(at, size - at)).body, { base: at, maxBytes: MAX_RAW_BYTES });
    } else if (size > MAX_RAW_BYTES) yield { start: 0, end: size, bytes: null };
    else yield { start: 0, end: size, bytes: new Uint8Array(await (await this.#read(0, size)).arrayBuffer()) };
  }

  async #read(offset: number, length: number) {
    const object = await readObject(this.#ctx, this.#slice.transfer.fileKey ?? "", { offset, length });
    if (!object) throw new TransferFailed("The uploaded file is gone. Upload it again.");
    return object;
  }

  async #importOne({ start, bytes }: MboxMessage, result: Result): Promise<void> {
    if (bytes && !looksLikeMessage(bytes)) return skip(result, start, "It is not an email: it has no header.");
    if (!bytes) return skip(result, start, TOO_LARGE);
    const ctx = this.#ctx;
    const { raw, email: parsed, digest } = await receiveRaw(ctx, new Blob([bytes]).stream(), bytes.length);
    const { headers, messageId, date, from } = parsed;
    const flags = flagsOf(headers);
    const { isRead = flags.isRead, tags = [] } = this.#options;
    const isSent = flags.isSent || this.#own.includes(from?.email.toLowerCase() ?? "");
    const receivedAt = this.#timeOf(date, receivedAtOf(headers));
    const status = this.#options.status ?? this.#placeOf(flags.status, receivedAt, isSent);
    const owesAnalysis = this.#options.analyze === true && !isSent && !isAsideStatus(status);
    // Without a Message-ID, the same bytes count as the same email, as for one that arrives.
    const id = messageId ?? `<${digest}@no-message-id.invalid>`;
    const toStore = pastEmail(
      { email: parsed, raw, id },
      {
        isSent,
        tags: uniqueTags([...tags, ...flags.tags]).slice(0, MAX_TAGS),
        status,
        isRead,
        isStarred: flags.isStarred,
        receivedAt,
      },
    );
    const { row, created } = await storeEmail(ctx, toStore, { owesAnalysis });
    result[created ? "created" : "duplicates"] += 1;
    if (created) result.boxes[status] += 1;
    if (created && owesAnalysis) sendToAnalysis(ctx, row.id);
  }

  /** By its age, if that was asked for. What the file puts aside stays aside. */
  #placeOf(status: EmailStatus, receivedAt: Date, isSent: boolean): EmailStatus {
    const { inboxDays } = this.#options;
    if (inboxDays === undefined || isAsideStatus(status)) return status;
    const isNew = receivedAt.getTime() >= this.#ctx.now.getTime() - inboxDays * DAY_MS;
    return isNew && !isSent ? "inbox" : "archived";
  }

  /** A date that cannot be is that of a broken clock or of spam: then the receiving server knows better. */
  #timeOf(date: Date | null, received: Date | null): Date {
    const isPossible = (at: Date | null): at is Date =>
      at !== null && at.getTime() > 0 && at.getTime() < this.#ctx.now.getTime() + DAY_MS;
    return [date, received].find(isPossible) ?? this.#ctx.now;
  }
}

function doneOf({ created, duplicates, skipped }: Result): number {
  return created + duplicates + skipped;
}

function skip(result: Result, at: number, reason: string): void {
  result.skipped += 1;
  if (result.problems.length < MAX_PROBLEMS) result.problems.push({ at, reason });
}

/** A message begins with a header field. A picture or a web page does not. */
function looksLikeMessage(bytes: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_BYTES)).trimStart();
  return /^[\x21-\x39\x3b-\x7e]+[ \t]*:/.test(start);
}
