import { shell } from "../../messages/shell.ts";
import { Callout } from "../../ui/callout.tsx";
import "../../base.ts";
import { useEffect, useState } from "preact/hooks";
import { useService } from "../../client/service.ts";
import { signIn as begin, session } from "../../client/session.ts";
import { navigate } from "../../lib/router.ts";
import { signIn } from "../../messages/sign-in.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Page } from "../../ui/page.tsx";
import { Credentials, SignForm } from "./form.tsx";
import { SecondFactor } from "./second-factor.tsx";

export default function SignIn({ query }: ScreenProps) {
  const [challenge, setChallenge] = useState<string | null>(null);
  const service = useService();
  const next = query.get("next");
  const register = next ? `/app/register?next=${encodeURIComponent(next)}` : "/app/register";
  const isFirst = service?.firstAccount === true;
  useEffect(() => {
    // Nobody has an account to sign in with yet.
    if (isFirst) navigate(register, { replace: true });
  }, [isFirst, register]);
  if (challenge !== null) return <SecondFactor challengeToken={challenge} onBack={() => setChallenge(null)} />;
  const hasEnded = session.value.status === "out" && session.value.hasEnded;
  return (
    <Page heading={signIn.heading}>
      {hasEnded && <Callout>{signIn.ended}</Callout>}
      {/* An open service still asks to sign in, and says what else can be done with it. */}
      {service?.accessMode === "open" && <Callout>{shell.openMode}</Callout>}
      <SignForm
        button={signIn.signIn}
        required={{ email: signIn.enterEmail, password: signIn.enterPassword }}
        send={async ({ email = "", password = "" }) => {
          const needed = await begin(email.trim(), password);
          if (needed) setChallenge(needed.challengeToken);
        }}
      >
        <Credentials />
      </SignForm>
      <p class="sign-links wrap between hint">
        <a href="/app/forgot">{signIn.forgot}</a>
        {service?.registrationOpen !== false && (
          <span>
            {signIn.noAccount} <a href={register}>{signIn.create}</a>
          </span>
        )}
      </p>
    </Page>
  );
}
