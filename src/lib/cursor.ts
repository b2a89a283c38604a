import { equalBytes, hmacSha256 } from "./crypto.ts";
import { fromBase64Url, fromBytes, toBase64Url, toBytes } from "./encoding.ts";
import { AppError } from "./errors.ts";

/** The sort values of the last row of a page, enough to find the row after it. */
export type CursorKey = readonly (string | number | null)[];

const TAG_BYTES = 12;

// The list's name is signed but not sent: a cursor of one list or order is worthless in another.
function tag(secret: string, list: string, payload: string): Uint8Array {
  return hmacSha256(secret, `cursor\n${list}\n${payload}`).subarray(0, TAG_BYTES);
}

export function encodeCursor(secret: string, list: string, key: CursorKey): string {
  const payload = toBase64Url(toBytes(JSON.stringify(key)));
  return `${payload}.${toBase64Url(tag(secret, list, payload))}`;
}

export function decodeCursor(secret: string, list: string, cursor: string): CursorKey {
  const [payload = "", signature = "", ...rest] = cursor.split(".");
  const given = fromBase64Url(signature);
  const bytes = fromBase64Url(payload);
  if (!given || !bytes || rest.length > 0 || !equalBytes(given, tag(secret, list, payload))) {
    throw new AppError("invalid_cursor", "Pass `nextCursor` of the previous page unchanged, or leave `cursor` out.", {
      errors: [{ path: "cursor", message: "not a cursor of this list" }],
    });
  }
  return JSON.parse(fromBytes(bytes));
}
