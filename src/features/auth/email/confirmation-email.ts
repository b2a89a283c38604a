import type { Context } from "../../../context.ts";

export const CONFIRMATION_HOURS = 24;

export function confirmationEmail({ baseUrl }: Context, name: string, subject: string) {
  return {
    subject,
    text: (token: string) => `Hello ${name},

Please confirm that this is the email address of your account at ${baseUrl}.

Your confirmation token: ${token}

Sign in and enter it at ${baseUrl}/docs#/Profile/confirmEmail
The token works once, for ${CONFIRMATION_HOURS} hours.

If you did not ask for this, you can ignore this message.
`,
  };
}
