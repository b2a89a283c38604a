export const WEEK_STARTS = ["monday", "saturday", "sunday"] as const;
export const TIME_FORMATS = ["24h", "12h"] as const;
export const MAIL_VIEWS = ["conversations", "messages"] as const;
export const MAIL_DENSITIES = ["comfortable", "compact"] as const;

/** An uploaded image, stored in KV under `key`, or a link to one. */
export type Avatar =
  | { kind: "image"; type: ImageType; bytes: number; hash: string; key: string }
  | { kind: "url"; url: string };

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;
type ImageType = (typeof IMAGE_TYPES)[number];

/** Determined by the first bytes, whatever the Content-Type. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const starts = (offset: number, signature: readonly number[]) =>
    signature.every((byte, index) => bytes[offset + index] === byte);
  if (starts(0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
  if (starts(0, [0xff, 0xd8, 0xff])) return "image/jpeg";
  // RIFF, four bytes of length, WEBP.
  if (starts(0, [0x52, 0x49, 0x46, 0x46]) && starts(8, [0x57, 0x45, 0x42, 0x50])) return "image/webp";
  return null;
}
