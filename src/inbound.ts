import type { Context } from "./context.ts";
import { applyInvitation } from "./features/calendar/invitations/apply-invitation.ts";
import { storeInboundEmail } from "./features/emails/inbound.ts";
import { hasOwner } from "./features/people/owners.ts";
import { deliverNewEvents } from "./features/webhooks/service.ts";

/** Stores an incoming email, applies its invitations to the calendar and sends the events that raises. */
export async function receiveEmail(ctx: Context, message: ForwardableEmailMessage): Promise<void> {
  // The platform reports an exception as a temporary failure, so the sending server tries again later; `setReject`
  // would return the email to its sender for good.
  if (await isOwnerMissing(ctx)) throw new Error("The service has no owner yet. Try again later.");
  const receipt = await storeInboundEmail(ctx, message, {
    onCalendarPart: (context, { content, ...email }) => applyInvitation(context, content, { ...email, to: message.to }),
  });
  ctx.deferLast(() => deliverNewEvents(ctx));
  if (!receipt.stored) message.setReject(receipt.reason);
}

/** An email must not wait in the service for whoever registers first. A local service in open mode needs no owner. */
async function isOwnerMissing(ctx: Context): Promise<boolean> {
  const { ALLOW_PRIVATE_HOSTS, ACCESS_MODE } = ctx.config;
  return !(ALLOW_PRIVATE_HOSTS && ACCESS_MODE === "open") && !(await hasOwner(ctx));
}
