/*
 * The ZIP format, as far as an archive of this service uses it: entries stored or deflated, names in UTF-8, ZIP64 for what
 * lies beyond 4 GB or 65,535 entries. No single entry reaches 4 GB.
 */

export const SIGNATURES = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
} as const;

export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
export const END_BYTES = 22;
export const END64_BYTES = 56;
export const LOCATOR64_BYTES = 20;
export const MAX_COMMENT_BYTES = 0xffff;

export const MAX_16 = 0xffff;
export const MAX_32 = 0xffffffff;
export const ZIP64_FIELD = 1;

export const STORED = 0;
export const DEFLATED = 8;

/** Names are UTF-8. */
export const UTF8_FLAG = 0x0800;
export const ENCRYPTED_FLAG = 0x0001;

export interface ZipEntry {
  name: string;
  method: number;
  crc: number;
  /** Bytes in the archive, and after inflating. */
  packed: number;
  size: number;
  /** Where its local header begins. */
  offset: number;
}

/** The archive is damaged, or none that this service can read. The message is shown to the person. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}
