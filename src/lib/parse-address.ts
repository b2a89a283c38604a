import { addressParser } from "postal-mime";
import { type Address, isEmailAddress } from "./addresses.ts";

/** Most addresses: no comments, quotes, groups or encoded words. */
const PLAIN = /^(?:(\w+(?: [\w-]+)*) )?<([\w.+-]+@[\w.-]+)>$|^([\w.+-]+@[\w.-]+)$/;

/** Parses `Ann <ann@x.org>` or `ann@x.org`; null for anything but exactly one address. */
export function parseAddress(text: string): Address | null {
  const [, name = "", bracketed, alone] = PLAIN.exec(text) ?? [];
  const email = bracketed ?? alone;
  // The parser takes several times as long for the same.
  if (email && isEmailAddress(email)) return { name, email };
  const [found, ...more] = addressParser(text);
  if (!found?.address || more.length > 0 || !isEmailAddress(found.address)) return null;
  return { name: found.name.trim(), email: found.address };
}

/** Parses `Ann <ann@x.org>`, `ann@x.org` or only a name. */
export function parsePerson(text: string): { name: string | null; email: string | null } {
  const address = parseAddress(text);
  return address ? { name: address.name || null, email: address.email.toLowerCase() } : { name: text, email: null };
}
