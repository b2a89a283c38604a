import { toBytes } from "../../../lib/encoding.ts";
import type { Connection } from "../connection.ts";
import { plainReason, soundsBusy } from "../reason.ts";
import { MailboxError, type MailboxStep } from "../types.ts";
import { latin1Bytes, type RawResponse, ResponseFramer, ResponseProblem } from "./framer.ts";
import { type Data, type Response, readResponse, type Status } from "./responses.ts";

/** Text of a command, or a literal. */
export type Piece = string | Literal;

export class Literal {
  readonly size: number;
  readonly pieces: Iterable<Uint8Array>;

  constructor(size: number, pieces: Iterable<Uint8Array>) {
    this.size = size;
    this.pieces = pieces;
  }
}

/** More responses than any mailbox has messages. */
const MAX_RESPONSES = 1_000_000;
/** What a server takes without asking first (LITERAL-), and a small price if it refuses. */
const UNASKED_BYTES = 4096;

/** Sends commands and reads what comes back, one at a time. Knows nothing of what they mean. */
export class Commands {
  /** What the server can do, as it said last; null: ask. */
  capabilities: Set<string> | null = null;
  private framer = new ResponseFramer();
  private waiting: RawResponse[] = [];
  private count = 0;
  private goodbye: Status | null = null;

  readonly connection: Connection;
  private readonly secrets: readonly string[];

  constructor(connection: Connection, secrets: readonly string[]) {
    this.connection = connection;
    this.secrets = secrets;
  }

  /** The first words of the server. */
  async greeting(): Promise<void> {
    this.connection.begin("greeting");
    const response = await this.next();
    if (response.type !== "status" || response.tag !== null) throw this.broken("its greeting is no greeting");
    this.learn(response);
    if (response.status === "OK") return;
    if (response.status === "PREAUTH") throw this.broken("it asked for no password");
    throw this.connection.fail(this.wordsOf(response), isBusy(response) ? "mailbox_busy" : "mailbox_broken");
  }

  /** Returns the end of the command, whatever it was. `on` gets what comes before it. */
  async run(
    step: MailboxStep,
    command: Piece[],
    on: (response: Data | Status) => void = () => undefined,
    { onContinue, literalLimit = 1024 * 1024 }: { onContinue?: () => Piece; literalLimit?: number } = {},
  ): Promise<Status> {
    this.connection.begin(step);
    if (this.waiting.some((raw) => !isUntagged(raw))) throw this.broken("it answered unasked");
    this.framer.literalLimit = literalLimit;
    const tag = `A${++this.count}`;
    const ended = await this.send(tag, command, on);
    if (ended) return ended;
    for (let responses = 0; responses < MAX_RESPONSES; responses++) {
      const response = await this.next();
      if (response.type === "continue") {
        if (!onContinue) throw this.broken("it asked for more than there is");
        await this.write([onContinue(), "\r\n"]);
      } else if (this.isEnd(response, tag)) return response;
      else this.hand(response, on);
    }
    throw this.broken("it does not stop talking");
  }

  /** As `run`, and anything but OK is an error. */
  async must(...args: Parameters<Commands["run"]>): Promise<Status> {
    const status = await this.run(...args);
    if (status.status !== "OK") throw this.refusal(args[0], status);
    return status;
  }

  /** LOGOUT. Waits a moment, so that the server closes the session at once and not when it notices. */
  async leave(ms: number): Promise<void> {
    this.connection.begin("login");
    await this.connection.write(toBytes(`A${++this.count} LOGOUT\r\n`));
    const until = Date.now() + ms;
    while (Date.now() < until && (await this.connection.read(ms)) !== null);
  }

  refusal(step: MailboxStep, status: Status): MailboxError {
    const reason = this.wordsOf(status);
    return new MailboxError(isBusy(status) ? "mailbox_busy" : "mailbox_broken", step, reason, isBusy(status));
  }

  wordsOf({ text, code }: Status): string {
    return plainReason(text, this.secrets, code ? `The server refused (${code}).` : "The server refused.");
  }

  broken(what: string): MailboxError {
    return this.connection.fail(`The server cannot be understood: ${what}.`);
  }

  /** STARTTLS was accepted: all that was said before counts for nothing. */
  async startTls(): Promise<void> {
    if (this.waiting.length > 0 || this.framer.isInside) throw this.broken("it answered before TLS began");
    await this.connection.startTls();
    this.capabilities = null;
    this.framer = new ResponseFramer();
  }

  private async send(tag: string, command: Piece[], on: (response: Data | Status) => void): Promise<Status | null> {
    let text = `${tag} `;
    for (const piece of command) {
      if (typeof piece === "string") {
        text += piece;
        continue;
      }
      const isUnasked =
        piece.size <= UNASKED_BYTES && (this.capabilities?.has("LITERAL+") || this.capabilities?.has("LITERAL-"));
      await this.write([`${text}{${piece.size}${isUnasked ? "+" : ""}}\r\n`]);
      text = "";
      if (!isUnasked) {
        let response = await this.next();
        while (response.type !== "continue") {
          if (this.isEnd(response, tag)) return response;
          this.hand(response, on);
          response = await this.next();
        }
      }
      await this.write([piece]);
    }
    await this.write([`${text}\r\n`]);
    return null;
  }

  private async write(pieces: Piece[]): Promise<void> {
    for (const piece of pieces) {
      if (typeof piece === "string") await this.connection.write(toBytes(piece));
      else for (const bytes of piece.pieces) await this.connection.write(bytes);
    }
  }

  private isEnd(response: Response, tag: string): response is Status {
    if (response.type !== "status" || response.tag === null) return false;
    if (response.tag !== tag) throw this.broken("it answered a command that was not sent");
    this.learn(response);
    return true;
  }

  private hand(response: Response, on: (response: Data | Status) => void): void {
    if (response.type === "continue") return;
    if (response.type === "status" && response.status === "BYE") this.goodbye = response;
    this.learn(response);
    try {
      on(response);
    } catch (error) {
      throw error instanceof ResponseProblem ? this.broken(error.message) : error;
    }
  }

  /** Capabilities come by themselves, as a response or as a code. */
  private learn(response: Data | Status): void {
    if (response.type === "status") {
      if (response.code === "CAPABILITY") this.capabilities = capabilitiesIn(response.argument.split(" "));
    } else if (response.kind === "CAPABILITY") {
      this.capabilities = capabilitiesIn(response.values().filter((value) => typeof value === "string"));
    }
  }

  private async next(): Promise<Response> {
    try {
      while (this.waiting.length === 0) {
        const chunk = await this.connection.read();
        if (chunk === null) throw this.cut();
        for (const raw of this.framer.push(chunk)) this.waiting.push(raw);
      }
      const raw = this.waiting.shift();
      return readResponse(raw ?? { texts: [], literals: [] });
    } catch (error) {
      throw error instanceof ResponseProblem ? this.broken(error.message) : error;
    }
  }

  private cut(): MailboxError {
    const { goodbye } = this;
    if (!goodbye) return this.connection.fail("The server closed the connection.");
    return this.connection.fail(this.wordsOf(goodbye), isBusy(goodbye) ? "mailbox_busy" : "mailbox_broken");
  }
}

function isUntagged(raw: RawResponse): boolean {
  return raw.texts[0]?.[0] === 42;
}

function capabilitiesIn(names: readonly string[]): Set<string> {
  return new Set(names.map((name) => name.toUpperCase()).filter(Boolean));
}

const BUSY_CODES = ["LIMIT", "UNAVAILABLE", "INUSE", "SERVERBUG", "THROTTLED"];

export function isBusy({ code, text }: Status): boolean {
  return BUSY_CODES.includes(code ?? "") || soundsBusy(text);
}

/** A string in a command: quoted, or as a literal if it has anything but printable ASCII. No line break ends a command. */
export function quoted(bytes: string | Uint8Array): Piece {
  const content = typeof bytes === "string" ? toBytes(bytes) : bytes;
  const isPlain = content.length < 1000 && content.every((byte) => byte >= 0x20 && byte < 0x7f);
  if (!isPlain) return new Literal(content.length, [content]);
  return `"${String.fromCharCode(...content).replaceAll(/["\\]/g, "\\$&")}"`;
}

/** The name of a folder as `folders` gave it. */
export function quotedFolder(raw: string): Piece {
  return quoted(latin1Bytes(raw));
}
