import type { Context } from "../../context.ts";
import { clientName } from "../../lib/client-name.ts";
import { pagesOf } from "../../lib/pages.ts";
import { writerFor } from "../../lib/spoken-time.ts";
import { listPeople } from "../people/owners.ts";
import type { Recipient } from "./notice.ts";
import { notify } from "./service.ts";

type Person = Pick<Recipient, "id" | "name" | "email" | "timeZone">;

/** Emails a person, or the one with this id, about an event that concerns the security of their account. */
export function sendSecurityAlert(ctx: Context, to: Person | number, event: string, explanation: string): void {
  const send = async () => {
    const id = typeof to === "number" ? to : to.id;
    const [stored] = await listPeople(ctx, [id]);
    // The address the caller knows counts: it may just have changed. A deleted account has no settings any more.
    const person = typeof to === "number" ? stored : { timeFormat: "24h" as const, locale: "en", ...stored, ...to };
    if (person)
      notify(ctx, [person], { kind: "security_alert", write: (reader) => alertOf(ctx, reader, event, explanation) });
  };
  ctx.defer(send());
}

function alertOf(ctx: Context, reader: Recipient, event: string, explanation: string) {
  const { timeZone } = reader;
  return {
    subject: event,
    blocks: [
      `${event}. ${explanation}`,
      {
        facts: [
          ["Time", `${writerFor(timeZone, reader).moment(ctx.now.getTime())} (${timeZone})`],
          ["IP address", ctx.client.ip],
          ["Browser or app", clientName(ctx.client.userAgent)],
        ],
      },
      "If this was you, you can ignore this message. If it was not you, reset your password now. This signs out every session.",
      { button: "Reset your password", url: pagesOf(ctx.baseUrl).forgot },
    ],
  } as const;
}
