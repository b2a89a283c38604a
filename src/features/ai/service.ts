import type { Context } from "../../context.ts";
import { parseAddress } from "../../lib/addresses.ts";
import type { EmailAnalysis } from "../../lib/email-kinds.ts";
import type { Person } from "../../lib/engine/mail.ts";
import { analyse, mailInput } from "../emails/analysis/service.ts";
import { getEmail } from "../emails/service.ts";
import type { IntelligenceInput } from "./schemas.ts";

/** What a mail wants of its reader. Nothing is stored. */
export async function emailIntelligence(ctx: Context, input: IntelligenceInput): Promise<EmailAnalysis> {
  const { emailId, content = "", subject, from, receivedAt, timeZone } = input;
  if (emailId === undefined) {
    return analyse(ctx, {
      content,
      subject,
      from: from ? personOf(from) : null,
      reference: receivedAt ?? ctx.now,
      timeZone,
    });
  }
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

/** `Ann <ann@x.org>`, `ann@x.org` or only a name. */
function personOf(text: string): Person {
  const address = parseAddress(text);
  return address ? { name: address.name || null, email: address.email.toLowerCase() } : { name: text, email: null };
}
