import { Connection, type Transport } from "../../../src/providers/mailbox/connection.ts";

/** What a server says after each thing it is told. Bytes, or text as it goes over the wire. */
export type Said = string | Uint8Array;

export const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0) & 255);

/** The server's side of a connection in memory. */
export class ScriptedServer {
  /** All that the client has sent. */
  received = "";
  isClosed = false;
  private toClient = new TransformStream<Uint8Array, Uint8Array>();
  private writer = this.toClient.writable.getWriter();
  private waiting: (() => void)[] = [];

  /** In pieces of so many bytes; one after the other: default all at once. */
  async say(said: Said, pieces: readonly number[] = []): Promise<void> {
    const all = typeof said === "string" ? bytes(said) : said;
    let at = 0;
    for (const size of pieces) {
      await this.writer.write(all.slice(at, at + size)).catch(() => undefined);
      at += size;
    }
    if (at < all.length) await this.writer.write(all.slice(at)).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.writer.close().catch(() => undefined);
  }

  /** Waits until the client has sent something that matches since `from`. */
  async hears(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.received.slice(from));
      if (found) return found;
      if (this.isClosed) throw new Error(`closed before ${pattern}`);
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  connection(silenceMs = 5000): Connection {
    const transport: Transport = {
      readable: this.toClient.readable,
      writable: new WritableStream<Uint8Array>({
        write: (piece) => {
          if (this.isClosed) throw new Error("cut");
          for (let at = 0; at < piece.length; at += 8192) {
            this.received += String.fromCharCode(...piece.subarray(at, at + 8192));
          }
          this.wake();
        },
      }),
      startTls: () => transport,
      close: () => {
        this.isClosed = true;
        this.wake();
      },
    };
    return new Connection(transport, silenceMs);
  }
}

type Answer = (command: string, tag: string) => Said | null | undefined;

/**
 * An IMAP server that greets, takes any login, and answers as told: with text, whose `TAG` is the tag of the command, or
 * with null, which closes the connection. What is left open is answered with OK.
 */
export function imapServer(answers: Answer, { greeting = "* OK [CAPABILITY IMAP4rev1] hi\r\n" } = {}): ScriptedServer {
  const server = new ScriptedServer();
  const serve = async () => {
    await server.say(greeting);
    for (let from = 0; !server.isClosed; ) {
      const found = await server.hears(/^(A\d+) (.*)\r\n/, from);
      from += found.index + found[0].length;
      const [, tag = "", command = ""] = found;
      const said = answers(command, tag);
      if (said === null) await server.close();
      else if (said instanceof Uint8Array) await server.say(said);
      else if (said !== undefined) await server.say(said.replaceAll("TAG", tag));
      else if (command === "CAPABILITY") await server.say(`* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`);
      else await server.say(`${tag} OK done\r\n`);
    }
  };
  serve().catch(() => undefined);
  return server;
}
