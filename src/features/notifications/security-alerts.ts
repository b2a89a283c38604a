import type { Context } from "../../context.ts";
import { listPeople } from "../people/owners.ts";
import { notify, type Recipient } from "./service.ts";

type Person = Recipient & { timeZone: string };

/** Emails a person, or the one with this id, about an event that concerns the security of their account. */
export function sendSecurityAlert(ctx: Context, to: Person | number, event: string, explanation: string): void {
  const send = async () => {
    const [person] = typeof to === "number" ? await listPeople(ctx, [to]) : [to];
    if (!person) return;
    const { id, name, email } = person;
    const text = alertText(ctx, person, event, explanation);
    notify(ctx, [{ id, name, email }], { kind: "security_alert", subject: event, text });
  };
  ctx.defer(send());
}

function alertText(ctx: Context, { name, timeZone }: Person, event: string, explanation: string): string {
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
