import { aligns, type Header, type PassedSignature, senderProof } from "./authentication-results.ts";
import type { EmailAuthentication } from "./email-kinds.ts";

/** How a mailing list says that it can be left, as it is stored. */
export interface ListHeaders {
  /** The List-Id, in lower case. */
  id: string | null;
  /** The https address of List-Unsubscribe. */
  url: string | null;
  /** Its mailto address. */
  mailto: string | null;
  /** Whether a POST to `url` is enough (RFC 8058). */
  oneClick: boolean;
  /** Whether the DKIM signature that passed covers these headers, as RFC 8058 requires. */
  isSigned: boolean;
}

const MAX_URL = 2000;
const MAX_LIST_ID = 255;

/** Null for a message without List-Id and List-Unsubscribe. `passed`: the signatures that the receiver found valid. */
export function readListHeaders(
  headers: readonly Header[],
  from: string,
  passed: readonly PassedSignature[] = [],
): ListHeaders | null {
  const field = (name: string) => headers.find(({ key }) => key === name)?.value;
  const unsubscribe = field("list-unsubscribe");
  const rawId = field("list-id");
  if (unsubscribe === undefined && rawId === undefined) return null;
  const links = [...(unsubscribe ?? "").matchAll(/<([^<>]*)>/g)].map(([, link = ""]) => link.replace(/\s+/g, ""));
  const find = (scheme: string) =>
    links.find((link) => link.toLowerCase().startsWith(scheme) && link.length <= MAX_URL) ?? null;
  const url = find("https:");
  const post = field("list-unsubscribe-post")?.replace(/\s+/g, "").toLowerCase();
  return {
    id: listIdOf(rawId),
    url,
    mailto: find("mailto:"),
    oneClick: url !== null && post === "list-unsubscribe=one-click",
    isSigned: isListSigned(headers, from, passed),
  };
}

/** `News <news.example.com>` → `news.example.com`. */
function listIdOf(value: string | undefined): string | null {
  const id = (/<([^<>]+)>/.exec(value ?? "")?.[1] ?? value ?? "").trim().toLowerCase();
  return id === "" ? null : id.slice(0, MAX_LIST_ID);
}

type Signature = ReadonlyMap<string, string>;

/** The tags of a DKIM-Signature header. */
function tagsOf(signature: string): Signature {
  const parts = signature.split(";").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, Math.max(at, 0)).trim().toLowerCase(), part.slice(at + 1).replace(/\s+/g, "")] as const;
  });
  return new Map(parts);
}

/**
 * Anybody can add a header to a signed email and send it again, a made-up signature included. So it counts only what a
 * signature that passed covers: the one that the receiver names, or else every one of the sender's domain.
 */
function isListSigned(headers: readonly Header[], from: string, passed: readonly PassedSignature[]): boolean {
  const signatures = headers.flatMap(({ key, value }) => (key === "dkim-signature" ? [tagsOf(value)] : []));
  const ofSender = signatures.filter((tags) => aligns(tags.get("d"), domainOf(from)));
  const named = passed.map((one) => ofSender.filter((tags) => isNamed(tags, one))).filter((found) => found.length > 0);
  const covers = (some: readonly Signature[]) => some.length > 0 && some.every((tags) => coversList(tags, headers));
  return named.length > 0 ? named.some(covers) : covers(ofSender);
}

/** Receivers name a signature by the first characters of its value. */
function isNamed(tags: Signature, { domain, selector, value }: PassedSignature): boolean {
  return (
    value.length >= 8 &&
    tags.get("d")?.toLowerCase() === domain.toLowerCase() &&
    (selector === "" || tags.get("s")?.toLowerCase() === selector.toLowerCase()) &&
    tags.get("b")?.startsWith(value) === true
  );
}

/** Of two headers with one name, a signature covers the last one only: then nobody knows which of them is meant. */
function coversList(tags: Signature, headers: readonly Header[]): boolean {
  const signed = (tags.get("h") ?? "").toLowerCase().split(":");
  return ["list-unsubscribe", "list-unsubscribe-post"].every((name) => {
    const count = headers.filter(({ key }) => key === name).length;
    return count === 0 || (count === 1 && signed.includes(name));
  });
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/**
 * What identifies a mailing list: its List-Id, or else who sends it, together with the domain that sends it. Anybody can
 * write another list's headers, so that an email whose sender is not verified belongs to none.
 */
export function listKeyOf(
  list: ListHeaders | null,
  from: string,
  authentication: EmailAuthentication | null,
): string | null {
  if (!list || senderProof(authentication) !== "verified") return null;
  return `${list.id ?? from.toLowerCase()} ${domainOf(from)}`;
}

/** The list of a key, as people know it. */
export function listOfKey(key: string): string {
  return key.slice(0, key.lastIndexOf(" "));
}
