/** Bytes of a file, the last one included. */
export interface ByteSpan {
  first: number;
  last: number;
}

/**
 * What a Range header asks for (RFC 9110): null for the whole file, which is also the response to a header that is not
 * understood or names several ranges; "unsatisfiable" if it lies outside of the file.
 */
export function readRange(header: string | undefined, size: number): ByteSpan | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? "") ?? [];
  if (from === "" && to === "") return null;
  if (from === "") {
    const count = Math.min(Number(to), size);
    return count === 0 ? "unsatisfiable" : { first: size - count, last: size - 1 };
  }
  const first = Number(from);
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== "" && Number(to) < first) return null;
  return first >= size ? "unsatisfiable" : { first, last };
}

/** Passes on only some of the bytes of a stream. */
export function cutStream({ first, last }: ByteSpan): TransformStream<Uint8Array, Uint8Array> {
  let at = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const start = Math.max(first - at, 0);
      const end = Math.min(last + 1 - at, chunk.length);
      if (start < end) controller.enqueue(chunk.subarray(start, end));
      at += chunk.length;
      if (at > last) controller.terminate();
    },
  });
}
