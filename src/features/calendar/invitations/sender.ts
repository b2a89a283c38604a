import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { isKnownSender } from "../../emails/known-senders.ts";
import { selectAccountAddresses } from "../../people/owners.ts";
import { lowerCase } from "./organizers.ts";

/** A stranger blocks nothing, but must not be able to fill the calendar with noise. */
const MAX_BY_ONE = 5;
/** For all strangers together, because one person can have any number of addresses. */
const MAX_BY_ALL = 20;

/** The email that an invitation came with. */
export interface InvitationEmail {
  /** The stored email that contained the invitation, if there is one. */
  emailId: number | null;
  /** The sender: may only reply for themselves, and only change events they organize. */
  from: string;
  /** The address it was delivered to: the attendee who is the owner. */
  to: string;
  /** False if nothing proves who sent it: then it changes no event, and its sender is a stranger. */
  isVerified: boolean;
  /** The person asks for it in a stored email: they vouch for its sender, who counts as known. */
  isAsked?: boolean;
}

/** The sender of an invitation, as far as the person knows them. */
export interface Sender {
  address: string;
  /** An account, or somebody the person has written to or accepted an invitation from. */
  isKnown: boolean;
  /** Whether an unknown sender may add another event today. */
  mayAdd: boolean;
  /** The addresses of the person among the attendees. */
  ownAddresses: readonly string[];
}

/** Holds while strangers have added fewer events within a day than they may. */
export function isWithinLimit(ctx: Context, address: string): SQL<number> {
  const since = ctx.now.getTime() - DAY_MS;
  const added = sql`SELECT count(*) FROM events AS added WHERE added.added_by_stranger IS NOT NULL AND added.created_at > ${since}`;
  return sql`((${added}) < ${MAX_BY_ALL} AND (${added} AND added.added_by_stranger = ${lowerCase(address)}) < ${MAX_BY_ONE})`;
}

/**
 * Statements that find out about a sender, and a reader of their rows. Only the address that the email came from
 * counts, if it is proven: the organizer that the file names proves nothing.
 */
export function senderStatements(
  ctx: Context,
  { from, to, isVerified, isAsked = false }: InvitationEmail,
  attendees: readonly { email: string }[],
) {
  const address = lowerCase(from);
  const delivered = [lowerCase(to), withoutTag(lowerCase(to))];
  const people = [address, ...attendees.map(({ email }) => email)];
  const facts = ctx.db
    .select({ isKnown: isKnownSender(address).as("is_known"), mayAdd: isWithinLimit(ctx, address).as("may_add") })
    .from(sql`(SELECT 1)`);
  return {
    statements: [facts, selectAccountAddresses(ctx, people)] as const,
    read([fact]: { isKnown: number; mayAdd: number }[], accounts: { email: string }[]): Sender {
      const own = accounts.map(({ email }) => email);
      const others = own.filter((email) => email !== address);
      return {
        address,
        isKnown: isAsked || (isVerified && (fact?.isKnown === 1 || own.includes(address))),
        mayAdd: fact?.mayAdd === 1,
        ownAddresses: isAsked ? [...others, ...delivered] : [...delivered, ...others],
      };
    },
  };
}

/** "ada+work@example.com" is delivered to ada@example.com. */
function withoutTag(address: string): string {
  return address.replace(/^([^+@]*)\+[^@]*@/, "$1@");
}
