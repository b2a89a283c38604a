/** How the bytes of an attachment are encoded where they are. `binary`: not at all. */
export type TransferEncoding = "base64" | "quoted-printable" | "binary";

/** An attachment as it is stored. Members that say nothing are left out: every email of a list has them. */
export interface StoredAttachment {
  name: string;
  type: string;
  /** Decoded. */
  size: number;
  /** Shown inside the HTML, by its `contentId`. */
  inline?: true;
  /** Without angle brackets. */
  contentId?: string;
  /** The object with its bytes. Default: the raw message. */
  key?: string;
  /** Where its bytes are in the object, still encoded. Default: all of it. */
  offset?: number;
  length?: number;
  /** Default: `binary`. */
  encoding?: TransferEncoding;
}

/** An attachment as clients see it: where its bytes are is nobody's business. */
export function shownAttachments(stored: readonly StoredAttachment[]) {
  return stored.map(({ name, type, size, inline, contentId }, index) => ({
    n: index + 1,
    name,
    type,
    size,
    inline: inline ?? false,
    contentId: contentId ?? null,
  }));
}

/** Whether HTML shows a picture by its Content-ID, which some programs write as in a URL. */
export function isShownBy(html: string, contentId: string): boolean {
  return shownBy(html)(contentId);
}

/** The same for many: the HTML is looked through once. */
export function shownBy(html: string): (contentId: string) => boolean {
  const named = new Set(Array.from(html.matchAll(/cid:([^"'\s<>)]+)/g), ([, id = ""]) => id));
  return (contentId) => named.has(contentId) || named.has(encodeURIComponent(contentId));
}
