const [LF, CR, DOT] = [10, 13, 46];

/**
 * A message with CRLF at every line's end, whatever it had, in pieces of about 64 KB. `dots`: for SMTP, a dot that
 * begins a line is doubled.
 */
export function* wireMessage(message: Uint8Array, { dots }: { dots: boolean }): Generator<Uint8Array<ArrayBuffer>> {
  const STEP = 64 * 1024;
  let last = LF;
  for (let start = 0; start < message.length; start += STEP) {
    const piece = message.subarray(start, start + STEP);
    const out = new Uint8Array(piece.length * 2 + 1);
    let size = 0;
    for (const byte of piece) {
      if (last === CR && byte !== LF) {
        out[size++] = LF;
        last = LF;
      }
      if (byte === LF && last !== CR) out[size++] = CR;
      if (dots && byte === DOT && last === LF) out[size++] = DOT;
      out[size++] = byte;
      last = byte;
    }
    yield out.slice(0, size);
  }
  if (message.length === 0) return;
  if (last === CR) yield Uint8Array.of(LF);
  else if (last !== LF) yield Uint8Array.of(CR, LF);
}

/** How many bytes `wireMessage` makes of it, without doubled dots: what SIZE means. */
export function wireSize(message: Uint8Array): number {
  let size = 0;
  for (const piece of wireMessage(message, { dots: false })) size += piece.length;
  return size;
}
