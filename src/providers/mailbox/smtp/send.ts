import { asciiDomain } from "../../../lib/addresses.ts";
import { toBytes } from "../../../lib/encoding.ts";
import { type Connection, tlsFailure } from "../connection.ts";
import { wireMessage, wireSize } from "../line-breaks.ts";
import { base64, plainReason, saslResponse, secretsOf, soundsBusy } from "../reason.ts";
import { openConnection } from "../socket.ts";
import {
  type ConnectionOptions,
  type MailboxAuth,
  MailboxError,
  type MailboxErrorCode,
  type MailboxStep,
  type OutgoingMail,
  type ServerAddress,
} from "../types.ts";
import { type Reply, ReplyProblem, ReplyReader } from "./replies.ts";

/** After the last dot many servers look for viruses first. */
const PATIENCE = 3;

export async function sendBySmtp(
  server: ServerAddress,
  auth: MailboxAuth,
  options: ConnectionOptions,
  mail: OutgoingMail,
): Promise<void> {
  checkEnvelope(mail);
  await sendOver(await openConnection(server, options), server, auth, mail);
}

export async function checkSmtp(
  server: ServerAddress,
  auth: MailboxAuth,
  options: ConnectionOptions,
): Promise<{ capabilities: string[]; maxSize: number | null }> {
  const submission = new Submission(await openConnection(server, options), secretsOf(auth));
  try {
    const capabilities = await submission.logIn(server, auth);
    return { capabilities: [...capabilities.keys()], maxSize: maxSizeOf(capabilities) };
  } finally {
    submission.leave();
  }
}

/** Over a connection that is there, which it closes. */
export async function sendOver(
  connection: Connection,
  server: ServerAddress,
  auth: MailboxAuth,
  mail: OutgoingMail,
): Promise<void> {
  checkEnvelope(mail);
  const submission = new Submission(connection, secretsOf(auth));
  try {
    const capabilities = await submission.logIn(server, auth);
    await submission.send(mail, capabilities);
  } finally {
    submission.leave();
  }
}

/** Nothing that could end a command, or the address in it. */
const ADDRESS = /^[^\s\p{Cc}<>@"(),:;[\]\\]{1,64}@[^\s\p{Cc}<>@"(),:;\\]{1,253}$/u;

function checkEnvelope({ from, to }: OutgoingMail): void {
  if (!ADDRESS.test(from)) throw new MailboxError("mail_refused", "sender", "The sender is no email address.");
  const wrong = to.find((address) => !ADDRESS.test(address));
  if (to.length === 0 || wrong !== undefined) {
    const what =
      wrong === undefined ? "There is no recipient." : `${plainReason(wrong, [], "It")} is no email address.`;
    throw new MailboxError("recipient_refused", "recipient", what);
  }
}

/** EHLO keywords in upper case, with what follows them. */
type Capabilities = ReadonlyMap<string, string>;

function maxSizeOf(capabilities: Capabilities): number | null {
  const size = Number(/^\d{1,15}$/.exec(capabilities.get("SIZE") ?? "")?.[0] ?? 0);
  return size > 0 ? size : null;
}

class Submission {
  private replies = new ReplyReader();
  private waiting: Reply[] = [];

  private readonly connection: Connection;
  private readonly secrets: readonly string[];

  constructor(connection: Connection, secrets: readonly string[]) {
    this.connection = connection;
    this.secrets = secrets;
  }

  async logIn({ tls }: ServerAddress, auth: MailboxAuth): Promise<Capabilities> {
    this.connection.begin("greeting");
    const greeting = await this.reply();
    if (greeting.code !== 220) throw this.refused("mailbox_broken", "greeting", greeting);
    let offered = await this.hello();
    if (tls === "starttls") {
      if (!offered.has("STARTTLS")) throw tlsFailure("The server offers no STARTTLS on this port.");
      const go = await this.command("tls", "STARTTLS");
      if (go.code !== 220) throw tlsFailure(`The server refused STARTTLS: ${this.wordsOf(go)}`);
      // What came without TLS must not be taken for what comes with it.
      if (this.waiting.length > 0 || this.replies.isInside) throw this.broken("it answered before TLS began");
      await this.connection.startTls();
      offered = await this.hello();
    }
    await this.authenticate(auth, offered);
    return offered;
  }

  async send({ from, to, message }: OutgoingMail, capabilities: Capabilities): Promise<void> {
    const size = wireSize(message);
    const maxSize = maxSizeOf(capabilities);
    if (maxSize !== null && size > maxSize) {
      const reason = `The message has ${size} bytes, and the server takes at most ${maxSize}.`;
      throw new MailboxError("mail_refused", "message", reason);
    }
    const international = [from, ...to].find(isInternational);
    if (international !== undefined && !capabilities.has("SMTPUTF8")) {
      const reason = `${international}: the server takes only addresses in ASCII.`;
      throw new MailboxError(international === from ? "mail_refused" : "recipient_refused", "recipient", reason);
    }
    const options = [
      ...(capabilities.has("SIZE") ? [` SIZE=${size}`] : []),
      ...(capabilities.has("8BITMIME") && hasEightBit(message) ? [" BODY=8BITMIME"] : []),
      ...(international !== undefined ? [" SMTPUTF8"] : []),
    ];
    const sender = await this.command("sender", `MAIL FROM:<${asciiDomain(from)}>${options.join("")}`);
    if (sender.code !== 250) throw this.refused("mail_refused", "sender", sender);
    for (const recipient of to) {
      const reply = await this.command("recipient", `RCPT TO:<${asciiDomain(recipient)}>`);
      if (reply.code !== 250 && reply.code !== 251)
        throw this.refused("recipient_refused", "recipient", reply, recipient);
    }
    const go = await this.command("message", "DATA");
    if (go.code !== 354) throw this.refused("mail_refused", "message", go);
    for (const bytes of wireMessage(message, { dots: true })) await this.connection.write(bytes);
    // All that the server has now is a beginning, which it drops when the connection ends here.
    const [early] = this.waiting;
    if (early) throw this.refused("mail_refused", "message", early);
    await this.end();
  }

  /** QUIT. What the server says to it does not matter. */
  leave(): void {
    const quit = this.connection.isClosed ? Promise.resolve() : this.connection.write(toBytes("QUIT\r\n"));
    void quit.catch(() => undefined).then(() => this.connection.close());
  }

  /** The dot: from here on the message may be sent, unless the server says that it is not. */
  private async end(): Promise<void> {
    let reply: Reply;
    try {
      reply = await this.command("message", ".", this.connection.silenceMs * PATIENCE);
      if (reply.code < 400 && reply.code !== 250) throw this.broken("it neither took nor refused the message");
    } catch (error) {
      const why = error instanceof MailboxError ? error.reason : "The connection was cut.";
      throw new MailboxError("mail_maybe_sent", "message", why);
    }
    if (reply.code !== 250) throw this.refused("mail_refused", "message", reply);
  }

  private async hello(): Promise<Capabilities> {
    // A client has no name of its own that a server could check.
    const reply = await this.command("greeting", "EHLO [127.0.0.1]");
    if (reply.code !== 250) throw this.refused("mailbox_broken", "greeting", reply);
    return new Map(
      reply.lines.slice(1).map((line) => {
        const [, keyword = "", rest = ""] = /^([\w-]{1,60})[ =]?(.*)$/.exec(line.trim()) ?? [];
        return [keyword.toUpperCase(), rest];
      }),
    );
  }

  private async authenticate(auth: MailboxAuth, offered: Capabilities): Promise<void> {
    const mechanisms = (offered.get("AUTH") ?? "").toUpperCase().split(" ");
    let reply: Reply;
    if (auth.kind === "password" && mechanisms.includes("PLAIN")) {
      reply = await this.command("login", `AUTH PLAIN ${saslResponse(auth)}`);
    } else if (auth.kind === "password" && mechanisms.includes("LOGIN")) {
      reply = await this.command("login", "AUTH LOGIN");
      if (reply.code === 334) reply = await this.command("login", base64(auth.username));
      if (reply.code === 334) reply = await this.command("login", base64(auth.password));
    } else if (auth.kind === "oauth2" && mechanisms.includes("XOAUTH2")) {
      reply = await this.command("login", `AUTH XOAUTH2 ${saslResponse(auth)}`);
      // It explains the refusal, and waits for an empty line before it refuses.
      if (reply.code === 334) reply = await this.command("login", "");
    } else {
      const what = auth.kind === "password" ? "a password" : "an access token";
      throw new MailboxError("mailbox_auth_failed", "login", `The server takes no login with ${what}.`);
    }
    if (reply.code === 235) return;
    const isBusy = reply.code === 421 || reply.code === 454 || reply.code === 451 || soundsBusy(this.wordsOf(reply));
    throw this.refused(isBusy ? "mailbox_busy" : "mailbox_auth_failed", "login", reply);
  }

  private async command(step: MailboxStep, line: string, silenceMs?: number): Promise<Reply> {
    // Every word of it is checked already: this is for the one that is added later.
    if (/[\r\n\0]/.test(line)) throw new RangeError("a command has one line");
    this.connection.begin(step);
    if (this.waiting.length > 0) {
      const [early] = this.waiting;
      if (early?.code === 421) throw this.refused("mailbox_busy", step, early);
      throw this.broken("it answered unasked");
    }
    await this.connection.write(toBytes(`${line}\r\n`));
    return this.reply(silenceMs);
  }

  private async reply(silenceMs?: number): Promise<Reply> {
    try {
      while (this.waiting.length === 0) {
        const chunk = await this.connection.read(silenceMs);
        if (chunk === null) throw this.connection.fail("The server closed the connection.");
        for (const reply of this.replies.push(chunk)) this.waiting.push(reply);
      }
    } catch (error) {
      throw error instanceof ReplyProblem ? this.broken(error.message) : error;
    }
    return this.waiting.shift() ?? { code: 500, lines: [] };
  }

  private wordsOf({ code, lines }: Reply): string {
    return plainReason(lines.join(" "), this.secrets, `The server refused (${code}).`);
  }

  private refused(code: MailboxErrorCode, step: MailboxStep, reply: Reply, about?: string): MailboxError {
    const isTemporary = reply.code < 500;
    const words = plainReason(`${reply.code} ${reply.lines.join(" ")}`, this.secrets, "");
    // 421 ends the connection, whatever it is said to.
    const isBusy = reply.code === 421 || (code === "mailbox_broken" && soundsBusy(words));
    return new MailboxError(isBusy ? "mailbox_busy" : code, step, about ? `${about}: ${words}` : words, isTemporary);
  }

  private broken(what: string): MailboxError {
    return this.connection.fail(`The server cannot be understood: ${what}.`);
  }
}

function hasEightBit(message: Uint8Array): boolean {
  return message.some((byte) => byte > 127);
}

function isInternational(address: string): boolean {
  return /[^\0-\x7f]/.test(asciiDomain(address));
}
