import { eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { leftLists } from "../../../db/schema/emails-sorting.ts";
import { AppError } from "../../../lib/errors.ts";
import { type ListHeaders, listKeyOf, listOfKey } from "../../../lib/list-headers.ts";
import { parseMailto } from "../../../lib/mailto.ts";
import { outsideAddressProblem } from "../../../lib/outside-address.ts";
import { mailerOf } from "../../../providers/mail.ts";
import { post } from "../../../providers/post.ts";
import type { EmailRow } from "../record.ts";
import { requireEmail } from "../store.ts";
import type { UnsubscribeRequest, UnsubscribeResult } from "./schemas.ts";

type LeftList = typeof leftLists.$inferSelect;

function toResult({ list, leftAt, ...left }: LeftList): UnsubscribeResult {
  return { ...left, list: listOfKey(list), leftAt: leftAt.toISOString() };
}

/** Leaves the mailing list that an email came through. Once: a list that was left is not asked again. */
export async function unsubscribe(
  ctx: Context,
  id: number,
  { trashLater }: UnsubscribeRequest,
): Promise<UnsubscribeResult> {
  const email = await requireEmail(ctx, id);
  const { list } = email;
  if (!list) throw refusal(list, "The email has no List-Unsubscribe header.");
  const key = listKeyOf(list, email.fromEmail, email.authentication);
  // Following such a link reveals that the inbox is read, so it is done for verified senders only.
  if (!key) {
    throw refusal(list, "The sender could not be verified, and an answer would tell them that this inbox is read.");
  }
  const [known] = await ctx.db.select().from(leftLists).where(eq(leftLists.list, key));
  if (known) return toResult(trashLater && !known.trashLater ? await remember(ctx, { ...known, trashLater }) : known);
  const method = await leave(ctx, email, list);
  return toResult(await remember(ctx, { list: key, method, trashLater, leftAt: ctx.now }));
}

/** Of two requests at the same time, the first is remembered; trash later if either says so. */
async function remember(ctx: Context, left: LeftList): Promise<LeftList> {
  const [row] = await ctx.db
    .insert(leftLists)
    .values(left)
    .onConflictDoUpdate({ target: leftLists.list, set: { trashLater: sql`max(trash_later, excluded.trash_later)` } })
    .returning();
  return row ?? left;
}

async function leave(ctx: Context, email: EmailRow, list: ListHeaders): Promise<LeftList["method"]> {
  const { url, mailto } = list;
  if (list.oneClick && url) {
    const problem = oneClickProblem(ctx, email, list, url);
    if (problem === null) {
      await request(ctx, list, url);
      return "one_click";
    }
    if (!mailto) throw refusal(list, problem);
  }
  const target = mailto ? parseMailto(mailto) : null;
  const mailer = mailerOf(ctx.config);
  if (!target) {
    throw refusal(
      list,
      url ? "The sender offers no one-click unsubscribe, only a web page." : "The address is not valid.",
    );
  }
  // A valid email that somebody sends again may have another address in it. One from the sender's own servers has not.
  if (!list.isSigned && email.authentication?.spf !== "pass") {
    throw refusal(list, "The sender has not signed the address to write to.");
  }
  if (!mailer) throw refusal(list, "The list is left by email, and outgoing email is not configured.");
  await ctx.irreversibly(() =>
    mailer.send({ to: { name: "", email: target.address }, subject: target.subject, text: "unsubscribe\n" }),
  );
  return "mailto";
}

/** RFC 8058, section 4: a valid DKIM signature must cover both headers. */
function oneClickProblem(ctx: Context, email: EmailRow, list: ListHeaders, url: string): string | null {
  if (email.authentication?.dkim !== "pass")
    return "The email has no valid DKIM signature, which one-click unsubscribe requires.";
  if (!list.isSigned) return "The DKIM signature of the email does not cover its unsubscribe headers.";
  const problem = outsideAddressProblem(url, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  return problem && `Its unsubscribe address ${problem}.`;
}

/** RFC 8058: one POST without cookies or other credentials, and without redirects. */
async function request(ctx: Context, list: ListHeaders, url: string): Promise<void> {
  const { isAccepted, status, error } = await ctx.irreversibly(() =>
    post({
      url,
      allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    }),
  );
  if (isAccepted) return;
  const detail = `The mailing list did not accept the request: it ${error}. Try again later, or open its link.`;
  throw new AppError(status === null ? "provider_timeout" : "provider_error", detail, { details: linksOf(list) });
}

function refusal(list: ListHeaders | null, reason: string): AppError {
  const isLink = list?.url || list?.mailto;
  const advice = isLink ? " You can open its link yourself." : "";
  return new AppError("unsubscribe_unavailable", `${reason}${advice}`, { details: linksOf(list) });
}

/** For the person to do it by hand. */
function linksOf(list: ListHeaders | null) {
  return { url: list?.url ?? null, mailto: list?.mailto ?? null };
}
