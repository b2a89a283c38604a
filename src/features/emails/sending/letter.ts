import { sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../../context.ts";
import { emails } from "../../../db/schema/emails.ts";
import { type mailboxes, mailboxMessages } from "../../../db/schema/mailboxes.ts";
import { missedWrite } from "../../../db/version.ts";
import type { Address } from "../../../lib/addresses.ts";
import type { StoredSignIn } from "../../../lib/email-kinds.ts";
import { messageKey } from "../../../lib/message-id.ts";
import type { Wording } from "../../../lib/quoted-original.ts";
import type { TimeOrDate } from "../../../lib/time-zone.ts";
import { selectSenders } from "../../mailboxes/mailer.ts";
import { selectAddresses } from "../../people/account.ts";
import { selectWording } from "../../people/speaking.ts";
import { type Content, wholeContent } from "../content.ts";
import { type IdentityRow, selectIdentities } from "../identities/service.ts";
import { type EmailRow, emailColumns, requireShown } from "../record.ts";
import { selectUploads, type UploadRow } from "../uploads/service.ts";

/** What a person wants to send, before the sender, signature and quote are added. */
export interface Letter {
  to: Address[];
  cc: Address[];
  bcc: Address[];
  subject: string;
  body?: string;
  html?: string;
  identityId?: number;
  attachmentIds: readonly string[];
  /** The draft that is sent, whose files are its own. */
  draftId?: number;
  /** That of an email it repeats, which may be deleted by now. */
  signIn?: StoredSignIn | null;
  sendAt?: TimeOrDate | null;
  /** It returns to the inbox after so many days without a reply. */
  followUpDays?: number | null;
  signature: boolean;
  /** Its relation to the original. */
  relation: "reply" | "forward";
  /** Whether the original is quoted. */
  quote: boolean;
}

/** The writer, and the email that is answered or forwarded. */
export interface Desk {
  original: (EmailRow & Content) | null;
  identities: IdentityRow[];
  /** Addresses of the person. Without a signed-in person: of all accounts. */
  addresses: string[];
  wording: Wording;
  /** The mailboxes that the person can send through. */
  mailboxes: (typeof mailboxes.$inferSelect)[];
  /** The address of the mailbox that the original came by; null without one. */
  cameBy: string | null;
  /** The files that the email names, as far as they exist. */
  uploads: UploadRow[];
}

/** An email by its id, or by its Message-ID. */
type EmailReference = number | string;

export const FOR_A_PERSON =
  "The email contains a sign-in code or link. Only a person can answer or forward it, in Mail.";

/**
 * One round trip, and for a long original another to the file store. Everything that answers or forwards an email reads
 * it here: a program that may not see it gets it into no draft either, which a person might send.
 */
export async function readDesk(
  ctx: Context,
  reference: EmailReference | null,
  attachmentIds: readonly string[] = [],
): Promise<Desk> {
  const user = "user" in ctx.actor ? ctx.actor.user : null;
  const isOriginal =
    typeof reference === "number"
      ? sql`${emails.id} = ${reference}`
      : reference === null
        ? sql`0`
        : sql`message_key = ${messageKey(reference)}`;
  const [[original], identities, [wording], accounts, uploads, senders, [came]] = await ctx.db.batch([
    ctx.db.select(emailColumns).from(emails).where(isOriginal),
    selectIdentities(ctx, user?.id ?? 0),
    selectWording(ctx, user?.id ?? 0),
    selectAddresses(ctx, user?.id),
    selectUploads(ctx, attachmentIds),
    selectSenders(ctx),
    ctx.db
      .select({ mailboxId: mailboxMessages.mailboxId })
      .from(mailboxMessages)
      .where(sql`email_id = (SELECT id FROM emails WHERE ${isOriginal})`)
      .orderBy(mailboxMessages.mailboxId)
      .limit(1),
  ]);
  // They are the owner's.
  const own = user === null || user.role === "owner" ? senders : [];
  if (reference !== null) requireScopes(ctx, ["emails:read"]);
  if (original) requireShown(ctx, original, FOR_A_PERSON);
  return {
    original: original ? { ...original, ...(await wholeContent(ctx, original)) } : null,
    identities,
    uploads,
    mailboxes: own,
    cameBy: own.find(({ id }) => id === came?.mailboxId)?.address ?? null,
    addresses: accounts.map(({ email }) => email),
    wording: {
      locale: wording?.locale ?? "en",
      timeZone: user?.timeZone ?? "UTC",
      timeFormat: wording?.timeFormat ?? "24h",
    },
  };
}

export function requireOriginal({ original }: Desk, id: number): EmailRow {
  if (!original) throw missedWrite(undefined, `email ${id}`);
  return original;
}
