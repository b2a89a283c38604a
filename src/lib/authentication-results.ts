import { addressParser } from "postal-mime";
import { isEmailAddress } from "./addresses.ts";
import type { AuthenticationResult, EmailAuthentication } from "./email-kinds.ts";

/** A header field of a message, in the order of the message. `key` is in lower case. */
export interface Header {
  key: string;
  value: string;
}

interface Message {
  headers: readonly Header[];
  /** The address that the email is stored and acts as. */
  from: string;
  /** The sender of the SMTP envelope, as the platform says. */
  envelopeFrom: string;
}

const FAILED: EmailAuthentication = { spf: "fail", dkim: "fail", dmarc: "fail" };

/**
 * What our own receiver found out about the domain in `From`; null if it left no result. `pass` means that the check
 * passed for that domain: a pass for another domain proves nothing, so it counts as `none`.
 */
export function readAuthentication(message: Message, trusted: readonly string[]): EmailAuthentication | null {
  const results = trustedResults(message.headers, trusted);
  if (!results) return null;
  const sender = onlySender(message.headers);
  const domain = domainOf(sender ?? "");
  // Results are about the domain in `From`: they prove nothing about an email that is stored under another address.
  if (!domain || sender?.toLowerCase() !== message.from.toLowerCase() || results === "unreadable") return FAILED;
  return {
    spf: spfOf(results, domain, message.envelopeFrom),
    dkim: dkimOf(results, domain),
    dmarc: dmarcOf(results, domain),
  };
}

/**
 * `failed`: the receiver says that the sender is not who they claim to be. `verified`: it says that they are.
 * `unverified`: nobody said anything about it.
 */
export const SENDER_PROOFS = ["verified", "unverified", "failed"] as const;
export type SenderProof = (typeof SENDER_PROOFS)[number];

export function senderProof(authentication: EmailAuthentication | null): SenderProof {
  if (!authentication) return "unverified";
  const { spf, dkim, dmarc } = authentication;
  if (dmarc !== "none") return dmarc === "pass" ? "verified" : "failed";
  if (spf === "pass" || dkim === "pass") return "verified";
  return spf === "fail" || dkim === "fail" ? "failed" : "unverified";
}

/** A DKIM signature that passed, as the receiver names it; "" for what it does not say. */
export interface PassedSignature {
  domain: string;
  selector: string;
  /** The first characters of the signature's value. */
  value: string;
}

/** The signatures of the sender's domain that our own receiver found valid. */
export function passedSignatures(
  { headers, from }: Pick<Message, "headers" | "from">,
  trusted: readonly string[],
): PassedSignature[] {
  const results = trustedResults(headers, trusted);
  if (!results || results === "unreadable") return [];
  return results
    .filter((result) => isPassedSignature(result, domainOf(from)))
    .map(({ properties }) => ({
      domain: properties.get("header.d") ?? "",
      selector: properties.get("header.s") ?? "",
      value: properties.get("header.b") ?? "",
    }));
}

const RESULT_HEADERS = new Set(["authentication-results", "arc-authentication-results"]);
const TRACE_HEADER = /^(?:received(?:-spf)?|arc-[a-z-]+|authentication-results|return-path|delivered-to|x-[a-z0-9-]+)$/;

/**
 * A receiver puts its results above everything the sender wrote, so only the topmost header of a trusted receiver
 * counts, and only among the headers of the last hop: above the second `Received` and everything but trace headers.
 */
function trustedResults(headers: readonly Header[], trusted: readonly string[]): Result[] | "unreadable" | null {
  let hops = 0;
  for (const { key, value } of headers) {
    if (key === "received") hops += 1;
    if (hops > 1 || !TRACE_HEADER.test(key)) return null;
    if (!RESULT_HEADERS.has(key)) continue;
    const { server, results, isWhole } = parseResults(value);
    if (trusted.includes(server)) return isWhole ? results : "unreadable";
  }
  return null;
}

/** The result of one check. */
interface Result {
  method: string;
  result: AuthenticationResult;
  properties: ReadonlyMap<string, string>;
  /** Whether a comment precedes it. */
  afterComment: boolean;
}

/**
 * Parses `Authentication-Results` (RFC 8601), also in its ARC form, which starts with `i=1;`. Not whole if a comment or
 * quote has no end: it may be a sender's, and hides the results after it.
 */
export function parseResults(value: string): { server: string; results: Result[]; isWhole: boolean } {
  const { fields, isWhole } = fieldsOf(value);
  if (/^i=\d+$/i.test(fields[0]?.words.join(" ") ?? "")) fields.shift();
  const [head, ...rest] = fields;
  const server = (head?.words[0] ?? "").toLowerCase().replace(/\.$/, "");
  const results = rest.flatMap(({ words: [first = "", ...others], afterComment }) => {
    const [, method, result] = /^([a-z0-9-]+)(?:\/\d+)?=([a-z]+)$/i.exec(first) ?? [];
    if (!method || !result) return [];
    const properties = new Map<string, string>();
    for (const word of others) {
      const at = word.indexOf("=");
      const name = word.slice(0, at).toLowerCase();
      // The first of two values counts: what follows may be the sender's.
      if (at > 0 && !properties.has(name)) properties.set(name, word.slice(at + 1));
    }
    return [{ method: method.toLowerCase(), result: toResult(result), properties, afterComment }];
  });
  return { server, results, isWhole };
}

interface Field {
  words: string[];
  afterComment: boolean;
}

/** The parts between semicolons, as words: without comments, quotes, and spaces around `=` and `/`. */
function fieldsOf(value: string): { fields: Field[]; isWhole: boolean } {
  let field: Field = { words: [], afterComment: false };
  const fields = [field];
  let word = "";
  let depth = 0;
  let isQuoted = false;
  let hasComment = false;
  /** Set after the first `=`, and a `/` before it: spaces there do not end the word. */
  let joins = false;
  let hasValue = false;
  const endWord = () => {
    if (joins) return;
    if (word) field.words.push(word);
    word = "";
    hasValue = false;
  };
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at);
    const isEscape = char === "\\" && (isQuoted || depth > 0);
    if (isEscape) at += 1;
    if (depth > 0) {
      if (char === "(") depth += 1;
      else if (char === ")") depth -= 1;
    } else if (isEscape) {
      word += value.charAt(at);
      joins = false;
    } else if (char === '"') {
      isQuoted = !isQuoted;
      joins = false;
    } else if (isQuoted) {
      word += char;
    } else if (char === "(") {
      endWord();
      depth = 1;
      hasComment = true;
    } else if (/\s/.test(char)) {
      endWord();
    } else if (char === ";") {
      joins = false;
      endWord();
      field = { words: [], afterComment: hasComment };
      fields.push(field);
    } else if ((char === "=" || char === "/") && !hasValue) {
      word = (word || field.words.pop() || "") + char;
      joins = true;
      hasValue = char === "=";
    } else {
      word += char;
      joins = false;
    }
  }
  joins = false;
  endWord();
  return { fields, isWhole: depth === 0 && !isQuoted };
}

function toResult(word: string): AuthenticationResult {
  switch (word.toLowerCase()) {
    case "pass":
      return "pass";
    case "fail":
    case "hardfail":
    case "softfail":
    case "permerror":
      return "fail";
    default:
      return "none";
  }
}

/** The only address in the only `From`; null if there is not exactly one, with one @: servers read others differently. */
export function onlySender(headers: readonly Header[]): string | null {
  const [from, ...more] = headers.filter(({ key }) => key === "from");
  if (!from || more.length > 0) return null;
  const [sender, ...others] = addressParser(from.value);
  return others.length === 0 && sender?.address && isEmailAddress(sender.address) ? sender.address : null;
}

/** The domain of an address, or the domain itself, as DNS spells it. */
function domainOf(text: string): string {
  const domain = text
    .slice(text.lastIndexOf("@") + 1)
    .replace(/[<>]/g, "")
    .trim();
  try {
    return /^[^\s/?#:@%[\]\\]+$/.test(domain) ? new URL(`https://${domain}`).hostname.replace(/\.$/, "") : "";
  } catch {
    return "";
  }
}

/** Whether one is the other or a domain below it, as DMARC's relaxed alignment has it for most domains. */
export function aligns(checked: string | undefined, from: string): boolean {
  const domain = domainOf(checked ?? "");
  if (!domain.includes(".") || !from.includes(".")) return false;
  return domain === from || domain.endsWith(`.${from}`) || from.endsWith(`.${domain}`);
}

/** One result counts: a second one is no receiver's. A pass for another domain than the one we read is a deception. */
function dmarcOf(results: readonly Result[], from: string): AuthenticationResult {
  const found = results.filter(({ method }) => method === "dmarc");
  if (found.some(({ result }) => result === "fail")) return "fail";
  const [only, ...more] = found;
  const checked = only?.properties.get("header.from");
  if (only?.result !== "pass" || more.length > 0 || checked === undefined) return "none";
  return domainOf(checked) === from ? "pass" : "fail";
}

/** A sender chooses words that receivers put into comments, and may end the comment: no pass after one counts. */
function isPassedSignature({ method, result, properties, afterComment }: Result, from: string): boolean {
  const isPass = method === "dkim" && result === "pass" && !afterComment;
  return isPass && aligns(properties.get("header.d") ?? properties.get("header.i"), from);
}

function dkimOf(results: readonly Result[], from: string): AuthenticationResult {
  const found = results.filter(({ method }) => method === "dkim");
  if (found.some((result) => isPassedSignature(result, from))) return "pass";
  return found.some(({ result }) => result === "fail") ? "fail" : "none";
}

/** For the envelope as the platform says it, not as the header does. A second result for it is no receiver's. */
function spfOf(results: readonly Result[], from: string, envelopeFrom: string): AuthenticationResult {
  const found = results.filter(({ method, properties }) => method === "spf" && !properties.has("smtp.helo"));
  if (found.some(({ result }) => result === "fail")) return "fail";
  const [only, ...more] = found;
  const isPass = only?.result === "pass" && more.length === 0 && aligns(only.properties.get("smtp.mailfrom"), from);
  return isPass && aligns(envelopeFrom, from) ? "pass" : "none";
}
