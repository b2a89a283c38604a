import type { Context } from "./context.ts";
import { applyInvitation } from "./features/calendar/invitations/apply-invitation.ts";
import { storeInboundEmail } from "./features/emails/inbound.ts";
import { deliverNewEvents } from "./features/webhooks/service.ts";

/** Stores an incoming email, applies its invitations to the calendar and sends the events that raises. */
export async function receiveEmail(ctx: Context, message: ForwardableEmailMessage): Promise<void> {
  const receipt = await storeInboundEmail(ctx, message, {
    onCalendarPart: (context, { content, ...email }) => applyInvitation(context, content, { ...email, to: message.to }),
  });
  ctx.deferLast(() => deliverNewEvents(ctx));
  if (!receipt.stored) message.setReject(receipt.reason);
}
