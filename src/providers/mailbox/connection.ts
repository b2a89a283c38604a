import { MailboxError, type MailboxStep } from "./types.ts";

/** What a socket has, and what a test can make of two streams. */
export interface Transport {
  readable: ReadableStream<Uint8Array>;
  writable: WritableStream<Uint8Array>;
  opened?: Promise<unknown>;
  startTls?(): Transport;
  close(): unknown;
}

const SILENCE_MS = 20_000;
/** A server that sends a byte now and then is never silent. */
const COMMAND_SILENCES = 15;
const WRITE_BYTES = 64 * 1024;

/** Bytes both ways, with an end to waiting. Fails with a `MailboxError` only; `step` is what is being done. */
export class Connection {
  step: MailboxStep = "connect";
  private transport: Transport;
  private reader: ReadableStreamDefaultReader<Uint8Array>;
  private writer: WritableStreamDefaultWriter<Uint8Array>;
  private deadline = Number.POSITIVE_INFINITY;
  private failure: MailboxError | null = null;
  /** After STARTTLS until something came: the runtime tells of a certificate that it does not accept only then. */
  private isShakingHands = false;

  readonly silenceMs: number;

  constructor(transport: Transport, silenceMs = SILENCE_MS) {
    this.silenceMs = silenceMs;
    this.transport = transport;
    this.reader = transport.readable.getReader();
    this.writer = transport.writable.getWriter();
  }

  get isClosed(): boolean {
    return this.failure !== null;
  }

  /** Begins a command: from now on the server has so long for all of it. */
  begin(step: MailboxStep): void {
    this.step = step;
    this.deadline = Date.now() + this.silenceMs * COMMAND_SILENCES;
  }

  /** The next bytes; null when the server has closed the connection. */
  async read(silenceMs = this.silenceMs): Promise<Uint8Array | null> {
    if (Date.now() > this.deadline) throw this.fail("The server is too slow.");
    const { done, value } = await this.within(silenceMs, () => this.reader.read());
    if (done && this.isShakingHands) throw this.cut();
    this.isShakingHands = false;
    return done ? null : value;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; at += WRITE_BYTES) {
      // A piece of its own: some streams take the memory away from the sender.
      const piece = bytes.slice(at, at + WRITE_BYTES);
      await this.within(this.silenceMs, () => this.writer.write(piece));
    }
  }

  /** TLS from here on. No read may be under way, and nothing that came without TLS may be left unread. */
  async startTls(): Promise<void> {
    this.reader.releaseLock();
    this.writer.releaseLock();
    this.isShakingHands = true;
    if (!this.transport.startTls) throw this.cut();
    try {
      this.transport = this.transport.startTls();
      await within(this.silenceMs, Promise.resolve(this.transport.opened));
    } catch {
      throw this.cut();
    }
    this.reader = this.transport.readable.getReader();
    this.writer = this.transport.writable.getWriter();
  }

  /** Ends the connection because of what the server did. */
  fail(reason: string, code: "mailbox_broken" | "mailbox_busy" = "mailbox_broken"): MailboxError {
    this.failure ??= new MailboxError(code, this.step, reason);
    this.close();
    return this.failure;
  }

  /** Not awaited: after STARTTLS, the promise of the runtime never ends. */
  close(): void {
    this.failure ??= new MailboxError("mailbox_broken", this.step, "The connection is closed.");
    void Promise.resolve()
      .then(() => this.transport.close())
      .catch(() => undefined);
  }

  private async within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
    if (this.failure) throw this.failure;
    try {
      return await within(ms, work());
    } catch (error) {
      if (!(error instanceof Silence)) throw this.cut();
      throw this.fail(`The server said nothing for ${Math.round(ms / 1000)} seconds.`);
    }
  }

  private cut(): MailboxError {
    if (!this.isShakingHands) return this.fail("The connection was cut.");
    this.close();
    return tlsFailure("The server's certificate was not accepted, or it does not speak TLS after STARTTLS.");
  }
}

export class Silence extends Error {}

export function tlsFailure(reason: string): MailboxError {
  return new MailboxError("mailbox_tls_failed", "tls", reason);
}

/** Fails when the time is over. What was begun is not waited for. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Silence()), ms);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
