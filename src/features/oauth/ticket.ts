import type { Context } from "../../context.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import { fromBase64Url, toBase64Url } from "../../lib/encoding.ts";
import { isSignature, sign } from "../../lib/secrets.ts";
import type { AuthorizationRequest } from "./request.ts";

/** How long a person may think about it. */
const TICKET_MS = 10 * 60 * 1000;

export interface Ticket {
  userId: number;
  issuedAt: number;
}

/**
 * Shows that the person on this page has signed in, for exactly this request. It stands in the form and not in a cookie,
 * so that no other page can make the form be sent.
 */
export function makeTicket(ctx: Context, request: AuthorizationRequest, userId: number): string {
  const issuedAt = ctx.now.getTime();
  const signature = sign(ctx.config.secrets("JWT_SECRET"), textOf(request, { userId, issuedAt }));
  return `${userId}.${issuedAt}.${toBase64Url(signature)}`;
}

export function readTicket(ctx: Context, request: AuthorizationRequest, text: string): Ticket | null {
  const [, id = "", time = "", signature = ""] = /^(\d{1,15})\.(\d{1,15})\.([\w-]+)$/.exec(text) ?? [];
  const ticket = { userId: Number(id), issuedAt: Number(time) };
  const given = fromBase64Url(signature);
  const isOurs = given && isSignature(ctx.config.secrets("JWT_SECRET"), textOf(request, ticket), given);
  return isOurs && ctx.now.getTime() - ticket.issuedAt <= TICKET_MS ? ticket : null;
}

function textOf({ client, ...request }: AuthorizationRequest, { userId, issuedAt }: Ticket): string {
  const asked = sha256Hex(JSON.stringify([client.id, client.name, request]));
  return `oauth ticket\n${userId}\n${issuedAt}\n${asked}`;
}
