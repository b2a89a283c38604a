import { ByteBuffer } from "../../../lib/mime/byte-buffer.ts";

/** The server said something that no server says. */
export class ReplyProblem extends Error {}

export interface Reply {
  code: number;
  /** Of all its lines, without the code. */
  lines: string[];
}

const REPLY_BYTES = 64 * 1024;
const LF = 10;

/** Divides what the server sends into replies. Pure: bytes in, in any pieces; replies out. */
export class ReplyReader {
  private line = new ByteBuffer();
  private lines: string[] = [];
  private code: string | null = null;
  private size = 0;

  /** Whether a reply has begun and not ended. */
  get isInside(): boolean {
    return this.line.size > 0 || this.code !== null;
  }

  *push(chunk: Uint8Array): Generator<Reply, void> {
    let at = 0;
    while (at < chunk.length) {
      const end = chunk.indexOf(LF, at);
      const piece = chunk.subarray(at, end < 0 ? chunk.length : end);
      this.size += piece.length;
      if (this.size > REPLY_BYTES) throw new ReplyProblem("a reply is too long");
      this.line.add(piece);
      at += piece.length + 1;
      const reply = end < 0 ? null : this.endLine();
      if (reply) yield reply;
    }
  }

  private endLine(): Reply | null {
    const text = new TextDecoder().decode(this.line.taken()).replace(/\r$/, "");
    this.line = new ByteBuffer();
    const [, code = "", more = "", words = ""] = /^([2-5]\d\d)(?:([ -])(.*))?$/s.exec(text) ?? [];
    if (code === "" || (this.code !== null && this.code !== code)) throw new ReplyProblem("a line is no reply");
    this.lines.push(words);
    this.code = code;
    if (more === "-") return null;
    const reply = { code: Number(code), lines: this.lines };
    this.lines = [];
    this.code = null;
    this.size = 0;
    return reply;
  }
}
