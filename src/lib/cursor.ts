import { fromBase64Url, fromBytes, toBase64Url, toBytes } from "./encoding.ts";
import { AppError } from "./errors.ts";
import { isSignature, type Secrets, sign } from "./secrets.ts";

/** The sort values of the last row of a page, enough to find the row after it. */
export type CursorKey = readonly (string | number | null)[];

const TAG_BYTES = 12;

// The list's name is signed but not sent: a cursor of one list or order is worthless in another.
function signed(list: string, payload: string): string {
  return `cursor\n${list}\n${payload}`;
}

export function encodeCursor(secrets: Secrets, list: string, key: CursorKey): string {
  const payload = toBase64Url(toBytes(JSON.stringify(key)));
  return `${payload}.${toBase64Url(sign(secrets, signed(list, payload)).subarray(0, TAG_BYTES))}`;
}

export function decodeCursor(secrets: Secrets, list: string, cursor: string): CursorKey {
  const [payload = "", signature = "", ...rest] = cursor.split(".");
  const given = fromBase64Url(signature);
  const bytes = fromBase64Url(payload);
  if (!given || !bytes || rest.length > 0 || !isSignature(secrets, signed(list, payload), given, TAG_BYTES)) {
    throw new AppError("invalid_cursor", "Pass `nextCursor` of the previous page unchanged, or leave `cursor` out.", {
      errors: [{ path: "cursor", message: "not a cursor of this list" }],
    });
  }
  return JSON.parse(fromBytes(bytes));
}
