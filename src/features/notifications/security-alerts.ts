import type { Context } from "../../context.ts";
import { listPeople } from "../people/owners.ts";
import { notify, type Recipient } from "./service.ts";

/** Tells a person by mail of something that concerns the safety of their account. */
export function alertOf(ctx: Context, { id, name, email }: Recipient, what: string, advice: string): void {
  notify(ctx, [{ id, name, email }], {
    kind: "security_alert",
    subject: what,
    text: alertText(ctx, name, what, advice),
  });
}

/** The same, where only the number of the account is at hand. */
export function alertById(ctx: Context, userId: number, what: string, advice: string): void {
  ctx.defer(
    (async () => {
      const [person] = await listPeople(ctx, [userId]);
      if (person) alertOf(ctx, person, what, advice);
    })(),
  );
}

function alertText(ctx: Context, name: string, what: string, advice: string): string {
  return `Hello ${name},

${what}.
${advice}

When: ${ctx.now.toISOString()}
From: ${ctx.client.ip}, ${ctx.client.userAgent ?? "an unnamed client"}
Where: ${ctx.baseUrl}

If this was you, you need do nothing. If it was not, reset your password at once, which ends every session:

  POST ${ctx.baseUrl}/api/auth/password/forgot
`;
}
