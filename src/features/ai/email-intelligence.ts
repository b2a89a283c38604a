import { type Context, requireScopes, timeZoneOf } from "../../context.ts";
import { parsePerson } from "../../lib/addresses.ts";
import type { EmailAnalysis } from "../../lib/email-kinds.ts";
import { analyse, mailInput } from "../emails/analysis/service.ts";
import { getEmail } from "../emails/service.ts";
import type { IntelligenceInput } from "./schemas.ts";

/** What a mail wants of its reader. Nothing is stored. */
export async function emailIntelligence(ctx: Context, input: IntelligenceInput): Promise<EmailAnalysis> {
  const { emailId, content = "", subject, from, receivedAt, timeZone = timeZoneOf(ctx) } = input;
  if (emailId === undefined) {
    return analyse(ctx, {
      content,
      subject,
      from: from ? parsePerson(from) : null,
      reference: receivedAt ?? ctx.now,
      timeZone,
    });
  }
  requireScopes(ctx, ["emails:read"]);
  const mail = await getEmail(ctx, emailId);
  const { body, from: sender } = mail;
  const row = {
    body,
    subject: mail.subject,
    fromName: sender.name,
    fromEmail: sender.email,
    receivedAt: new Date(mail.receivedAt),
  };
  return analyse(ctx, mailInput(row, timeZone));
}
