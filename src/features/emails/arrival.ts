import { asc, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { knownSenders } from "../../db/schema/emails.ts";
import { blockedSenders, emailRules, leftLists } from "../../db/schema/emails-sorting.ts";
import { identities } from "../../db/schema/emails-writing.ts";
import type { KindFacts } from "../../engine/email/kind.ts";
import { senderProof } from "../../lib/authentication-results.ts";
import type { TimeReading } from "../../lib/date-habits.ts";
import type { EmailKind } from "../../lib/email-kinds.ts";
import { type ListHeaders, listKeyOf } from "../../lib/list-headers.ts";
import { MAX_TAGS, uniqueTags } from "../../lib/tags.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { ownerReading, selectAccountAddresses, selectOwnerReading } from "../people/owners.ts";
import type { EmailRow } from "./record.ts";
import { type RuleOutcome, runRules } from "./rules/actions.ts";
import type { RuleFacts } from "./rules/conditions.ts";
import { MAX_RULES } from "./rules/service.ts";
import { selectVerdict } from "./spam.ts";

interface Arriving {
  facts: Omit<RuleFacts, "kind">;
  /** The kind, by what is known of the sender. */
  kindOf(trust: Pick<KindFacts, "isTrusted" | "isKnown">): EmailKind;
  /** Whether the address of the sender can be believed. */
  isVerified: boolean;
  list: ListHeaders | null;
  /** Those it has without any rule. */
  tags: readonly string[];
}

type Sorted = Pick<EmailRow, "status" | "isRead" | "isStarred" | "tags" | "appliedRules" | "deleteAt"> &
  RuleOutcome["set"];

interface Arrival {
  kind: EmailKind;
  /** From an address of somebody with an account. Whether it is theirs depends on the proof. */
  isFromOwnAddress: boolean;
  /** Inbound email is for the owner, so times in it are read as the owner writes them. */
  reading: TimeReading;
  email: Sorted;
  makesTask: boolean;
  /** Ids of webhooks. */
  forwardTo: number[];
}

/** Where an email that arrives goes: what its sender and its list are known for, and what the rules say. One round trip. */
export async function sortArrival(
  ctx: Context,
  { facts: seen, kindOf, isVerified, list, tags }: Arriving,
): Promise<Arrival> {
  const proof = senderProof(seen.authentication);
  const sender = seen.from.email.toLowerCase();
  const [[owner], rules, [blocked], [left], [verdict], accounts, own, writtenTo] = await ctx.db.batch([
    selectOwnerReading(ctx),
    ctx.db
      .select()
      .from(emailRules)
      .where(sql`${emailRules.enabled} = 1`)
      .orderBy(asc(emailRules.position), asc(emailRules.id))
      .limit(MAX_RULES),
    ctx.db
      .select({ id: blockedSenders.id })
      .from(blockedSenders)
      .where(sql`${blockedSenders.sender} IN ${anyOf(sendersOf(sender))}
        AND (unverified_only = 0 OR ${proof} <> 'verified')`)
      .limit(1),
    ctx.db
      .select({ trashLater: leftLists.trashLater })
      .from(leftLists)
      .where(sql`${leftLists.list} = ${listKeyOf(list, sender, seen.authentication) ?? ""}`),
    selectVerdict(ctx, sender, proof),
    selectAccountAddresses(ctx, [sender]),
    ctx.db.select({ id: identities.id }).from(identities).where(sql`lower(${identities.address}) = ${sender}`).limit(1),
    ctx.db.select({ email: knownSenders.email }).from(knownSenders).where(sql`${knownSenders.email} = ${sender}`),
  ]);
  const reading = ownerReading(owner);
  const isFromOwnAddress = accounts.length + own.length > 0;
  const isKnown = isVerified && (isFromOwnAddress || writtenTo.length > 0);
  const kind = kindOf({ isTrusted: verdict?.isSpam === false, isKnown });
  const facts = { ...seen, kind };
  const known = { reading, kind, isFromOwnAddress };
  const why = blocked ? "Blocked sender" : left?.trashLater ? "Mailing list that you left" : null;
  if (why) return { ...known, email: discarded(why, tags), makesTask: false, forwardTo: [] };
  const outcome = runRules(rules, facts);
  // The person's judgment of the sender decides.
  const isSpam = verdict?.isSpam ?? (proof === "failed" || kind === "spam_like");
  const { set, deleteAfterDays, applied } = outcome;
  return {
    ...known,
    email: {
      status: isSpam ? "spam" : "inbox",
      isRead: false,
      isStarred: false,
      ...set,
      tags: uniqueTags([...tags, ...outcome.tags]).slice(0, MAX_TAGS),
      appliedRules: applied.length > 0 ? applied : null,
      deleteAt: deleteAfterDays === null ? null : new Date(ctx.now.getTime() + deleteAfterDays * DAY_MS),
    },
    makesTask: outcome.makesTask,
    forwardTo: outcome.forwardTo,
  };
}

/** Never lost: it is in the trash, marked as read. */
function discarded(why: string, tags: readonly string[]): Sorted {
  const appliedRules = [{ id: null, name: why }];
  return { status: "trash", isRead: true, isStarred: false, tags: [...tags], appliedRules, deleteAt: null };
}

/** The entries that block a sender: the address, its domain, and every parent domain. */
function sendersOf(address: string): string[] {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const labels = domain.split(".");
  const domains = labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
  return [address, ...domains];
}
