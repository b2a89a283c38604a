import { isEmailAddress } from "./addresses.ts";
import { collapseSpace } from "./text.ts";

const MAX_SUBJECT = 200;

/** The address and subject of a `mailto:` link; null unless it names exactly one address. Other fields are ignored. */
export function parseMailto(link: string): { address: string; subject: string } | null {
  const [, to = "", query = ""] = /^mailto:([^?]*)(?:\?(.*))?$/i.exec(link) ?? [];
  try {
    const address = decodeURIComponent(to).trim();
    const fields = query.split("&").map((field) => field.split("="));
    const [, text = ""] = fields.find(([name]) => name?.toLowerCase() === "subject") ?? [];
    const subject = collapseSpace(decodeURIComponent(text)).slice(0, MAX_SUBJECT);
    return isEmailAddress(address) ? { address, subject: subject || "unsubscribe" } : null;
  } catch {
    // A stray percent sign.
    return null;
  }
}
