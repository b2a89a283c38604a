import type { Context } from "../../../context.ts";
import { RESET_MINUTES } from "../email-tokens.ts";

export function resetEmail({ baseUrl }: Context, name: string) {
  return {
    subject: "Reset your password",
    text: (token: string) => `Hello ${name},

Someone asked to reset the password of your account at ${baseUrl}.

Your reset token: ${token}

Enter it with your new password at ${baseUrl}/docs#/Authentication/resetPassword
The token works once, for ${RESET_MINUTES} minutes. Setting a new password signs out every session.

If you did not ask for this, you can ignore this message.
`,
  };
}
