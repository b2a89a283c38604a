interface ByteRange {
  offset: number;
  length: number;
}

/**
 * The part of a file that `Range` asks for. Undefined for the whole file: without the header, and for what cannot be
 * served as one part, which the standard allows to ignore.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (from === "" && to === "") return undefined;
  const offset = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size : Math.min(Number(to) + 1, size);
  return offset < end ? { offset, length: end - offset } : undefined;
}

/** The headers of a response with the file, or with a part of it. */
export function rangeHeaders(range: ByteRange | undefined, size: number): Record<string, string> {
  const { offset, length } = range ?? { offset: 0, length: size };
  return {
    "Accept-Ranges": "bytes",
    "Content-Length": String(length),
    ...(range && { "Content-Range": `bytes ${offset}-${offset + length - 1}/${size}` }),
  };
}
