import { toBase64, toBytes } from "../../lib/encoding.ts";
import { collapseSpace, firstCharacters } from "../../lib/text.ts";
import type { MailboxAuth } from "./types.ts";

const CHARACTERS = 200;

/** What may not appear in a reason, in every form in which it was sent: servers like to repeat what they did not accept. */
export function secretsOf(auth: MailboxAuth): string[] {
  const secret = auth.kind === "password" ? auth.password : auth.accessToken;
  const sent = [saslResponse(auth), base64(secret)];
  return [secret, ...sent, ...sent.map((text) => text.replace(/(?<!=)=+$/, ""))].filter((text) => text !== "");
}

/** The one message of SASL PLAIN and of XOAUTH2, as it is sent. */
export function saslResponse(auth: MailboxAuth): string {
  return auth.kind === "password"
    ? base64(`\0${auth.username}\0${auth.password}`)
    : base64(`user=${auth.username}\u0001auth=Bearer ${auth.accessToken}\u0001\u0001`);
}

export function base64(text: string): string {
  return toBase64(toBytes(text));
}

/** A server's words as one plain line; `otherwise` if it said none. */
export function plainReason(text: string, secrets: readonly string[], otherwise: string): string {
  let plain = text;
  for (const secret of secrets) plain = plain.replaceAll(secret, "…");
  plain = collapseSpace(plain.slice(0, 2000).replaceAll(/[\p{Cc}\p{Cf}\p{Co}\uFFFD]+/gu, " "));
  return firstCharacters(plain, CHARACTERS) || otherwise;
}

/** Servers without a code for it say so in words. */
const BUSY =
  /too many|try (?:again|later)|temporar|unavailable|rate.?limit|throttl|maintenance|overload|quota of (?:commands|connections)|bandwidth|maximum number of connections|concurrent/i;

export function soundsBusy(text: string): boolean {
  return BUSY.test(text.slice(0, 2000));
}
