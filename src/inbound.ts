import type { Context } from "./context.ts";
import { applyInvitation } from "./features/calendar/invitations/apply-invitation.ts";
import { receiveEmail } from "./features/emails/inbound.ts";
import { deliverNews } from "./features/webhooks/service.ts";

/** Stores an email from the internet, adds its invitations to the calendar and delivers the webhooks. */
export async function receiveMessage(ctx: Context, message: ForwardableEmailMessage): Promise<void> {
  const receipt = await receiveEmail(ctx, message, {
    onCalendarPart: (context, { content, emailId, from }) =>
      applyInvitation(context, content, { emailId, from, to: message.to }),
  });
  ctx.deferLast(() => deliverNews(ctx));
  if (!receipt.stored) message.setReject(receipt.reason);
}
