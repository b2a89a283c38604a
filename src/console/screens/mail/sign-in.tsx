import type { ComponentChildren } from "preact";
import { pastText, type TimeHabits } from "../../lib/time.ts";
import { mail } from "../../messages/mail.ts";
import { CopyButton } from "../../ui/secret.tsx";
import type { Email } from "./boxes.ts";

const m = mail.signIn;

/** Whether the email can sign its reader in, or could. Nobody should use what a suspicious one contains. */
export function signInState({ signIn, direction, status, kind }: Email, now: Date): "valid" | "expired" | null {
  if (!signIn || direction !== "inbound" || status === "spam" || kind === "spam_like") return null;
  return signIn.expiresAt === null || new Date(signIn.expiresAt) > now ? "valid" : "expired";
}

/** The code, large, to be copied. */
export function SignInCode({ code }: { code: string }) {
  return (
    <span class="sign-in-code cluster">
      <strong class="mono">{code}</strong>
      <CopyButton text={code} label={m.copy} />
    </span>
  );
}

interface SignInProps {
  email: Email;
  habits: TimeHabits;
  now: Date;
  children: ComponentChildren;
}

/** The code before the text of its email; once it has expired, one line that unfolds. */
export function SignIn({ email, habits, now, children }: SignInProps) {
  const { signIn } = email;
  const state = signInState(email, now);
  if (!signIn || state === null) return <>{children}</>;
  if (state === "expired") {
    return (
      <details class="sign-in-expired stack gap-12">
        <summary class="muted">{m.expired[signIn.kind]}</summary>
        {children}
      </details>
    );
  }
  return (
    <>
      <section class="sign-in stack gap-6" aria-label={m.name[signIn.kind]}>
        {signIn.code ? <SignInCode code={signIn.code} /> : <strong>{m.name.link}</strong>}
        {signIn.expiresAt !== null && (
          <span class="hint">{m.expires(pastText(habits, new Date(signIn.expiresAt), now))}</span>
        )}
      </section>
      {children}
    </>
  );
}
