import { addressParser } from "postal-mime";

export interface Address {
  /** Empty when only the address is known. */
  name: string;
  email: string;
}

/** Reads `Ann <ann@x.org>` or `ann@x.org`; null for anything that is not exactly one address. */
export function parseAddress(text: string): Address | null {
  const [found, ...more] = addressParser(text);
  if (!found?.address || more.length > 0 || !isEmailAddress(found.address)) return null;
  return { name: found.name.trim(), email: found.address };
}

/** Not proof that mail arrives there, only that it could. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text);
}

export function localPart(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 0 ? email : email.slice(0, at);
}
