import { addressParser } from "postal-mime";
import { type Address, isEmailAddress } from "./addresses.ts";

/** Parses `Ann <ann@x.org>` or `ann@x.org`; null for anything but exactly one address. */
export function parseAddress(text: string): Address | null {
  const [found, ...more] = addressParser(text);
  if (!found?.address || more.length > 0 || !isEmailAddress(found.address)) return null;
  return { name: found.name.trim(), email: found.address };
}

/** Parses `Ann <ann@x.org>`, `ann@x.org` or only a name. */
export function parsePerson(text: string): { name: string | null; email: string | null } {
  const address = parseAddress(text);
  return address ? { name: address.name || null, email: address.email.toLowerCase() } : { name: text, email: null };
}
