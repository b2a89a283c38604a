import type { Context } from "../../context.ts";
import { listPeople } from "../people/owners.ts";
import { notify, type Recipient } from "./service.ts";

/** A person, or the id of one. */
type AlertRecipient = (Recipient & { timeZone: string }) | number;

/** Emails a person about an event that concerns the security of their account. */
export function sendSecurityAlert(ctx: Context, to: AlertRecipient, event: string, explanation: string): void {
  const send = async () => {
    const [person] = typeof to === "number" ? await listPeople(ctx, [to]) : [to];
    if (!person) return;
    const { id, name, email, timeZone } = person;
    const text = alertText(ctx, { name, timeZone, event, explanation });
    notify(ctx, [{ id, name, email }], { kind: "security_alert", subject: event, text });
  };
  ctx.defer(send());
}

interface Alert {
  name: string;
  timeZone: string;
  event: string;
  explanation: string;
}

function alertText(ctx: Context, { name, timeZone, event, explanation }: Alert): string {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone });
  return `Hello ${name},

${event}. ${explanation}

Time: ${format.format(ctx.now)} (${timeZone})
IP address: ${ctx.client.ip}
Browser or app: ${ctx.client.userAgent ?? "unknown"}

If this was you, you can ignore this message. If it was not you, reset your password now. This signs out every session:

  ${ctx.baseUrl}
`;
}
