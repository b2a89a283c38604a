import type { Context } from "./context.ts";
import { applyInvitation } from "./features/calendar/invitations/apply-invitation.ts";
import { receiveMail } from "./features/emails/inbound.ts";
import { deliverNews } from "./features/webhooks/service.ts";

/** A mail as it comes from the internet: stored, its invitations put into the calendar, and told of. */
export async function receiveAny(ctx: Context, message: ForwardableEmailMessage): Promise<void> {
  const receipt = await receiveMail(ctx, message, {
    onCalendarPart: (context, { content, emailId, from }) =>
      applyInvitation(context, content, { emailId, from, to: message.to }),
  });
  ctx.deferLast(() => deliverNews(ctx));
  if (!receipt.stored) message.setReject(receipt.reason);
}
