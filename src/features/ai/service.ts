import type { Context } from "../../context.ts";
import { understandMail } from "../../lib/engine/intelligence.ts";
import type { MailInput, Person } from "../../lib/engine/mail.ts";
import { BUILTIN, meetingAnswer } from "../calendar/detect/service.ts";
import type { IntelligenceAnswer, IntelligenceInput } from "./schemas.ts";

/** What a mail wants of its reader. Nothing is stored. */
export function emailIntelligence(ctx: Context, input: IntelligenceInput): IntelligenceAnswer {
  const { content, subject, from, receivedAt, timeZone } = input;
  return analyse({ content, subject, from: from ? personOf(from) : null, reference: receivedAt ?? ctx.now, timeZone });
}

/** The built-in engine's answer, as it goes over the wire and into the database. */
export function analyse(mail: MailInput): IntelligenceAnswer {
  const { meeting, actionItems, ...rest } = understandMail(mail);
  return {
    ...rest,
    actionItems: actionItems.map((item) => ({ ...item, dueAt: item.dueAt?.toISOString() ?? null })),
    meeting: meeting && meetingAnswer(meeting),
    engine: BUILTIN,
  };
}

/** `Ann <ann@x.org>`, `ann@x.org` or only a name. */
function personOf(text: string): Person {
  const bracket = text.indexOf("<");
  const name = (bracket < 0 ? "" : text.slice(0, bracket)).replaceAll('"', "").trim();
  const address = (bracket < 0 ? text : text.slice(bracket + 1).replace(/>.*$/, "")).trim();
  return address.includes("@") ? { name: name || null, email: address.toLowerCase() } : { name: text, email: null };
}
