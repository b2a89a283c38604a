import type { Context } from "../../context.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { isSignature, sign } from "../../lib/secrets.ts";
import type { HeldSession } from "../auth/sessions/service.ts";
import type { AuthorizationRequest } from "./request.ts";

/** How long a person may think about it. */
export const TICKET_MS = 10 * 60 * 1000;

/**
 * Shows that the person on this page has signed in, for exactly this request. It stands in the form and not in a cookie,
 * so that no other page can make the form be sent. It is worth something only while its session exists and the account
 * has not changed since; a page that is shown again has the same ticket, with its first time.
 */
export interface Ticket extends HeldSession {
  /** The session was begun on this page, and not in the console: it ends with what the page is for. */
  isOfPage: boolean;
  issuedAt: number;
}

export function writeTicket(ctx: Context, request: AuthorizationRequest, ticket: Ticket): string {
  const signature = sign(ctx.config.secrets("JWT_SECRET"), textOf(request, ticket));
  return [...partsOf(ticket), toBase64Url(signature)].join(".");
}

export function readTicket(ctx: Context, request: AuthorizationRequest, text: string): Ticket | null {
  const [, id = "", sessionId = "", time = "", origin, signature = ""] =
    /^(\d{1,15})\.([\w-]{1,100})\.(\d{1,15})\.(page|console)\.([\w-]+)$/.exec(text) ?? [];
  const ticket = { userId: Number(id), sessionId, issuedAt: Number(time), isOfPage: origin === "page" };
  const given = fromBase64Url(signature);
  const isOurs = given && isSignature(ctx.config.secrets("JWT_SECRET"), textOf(request, ticket), given);
  return isOurs && ctx.now.getTime() - ticket.issuedAt <= TICKET_MS ? ticket : null;
}

function partsOf({ userId, sessionId, issuedAt, isOfPage }: Ticket) {
  return [userId, sessionId, issuedAt, isOfPage ? "page" : "console"];
}

function textOf({ client, ...request }: AuthorizationRequest, ticket: Ticket): string {
  const asked = sha256Hex(JSON.stringify([client.id, client.name, request]));
  return ["oauth ticket", ...partsOf(ticket), asked].join("\n");
}
