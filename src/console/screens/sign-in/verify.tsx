import { useEffect, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { attempt } from "../../client/notices.ts";
import { signIn as begin, session } from "../../client/session.ts";
import { signIn } from "../../messages/sign-in.ts";
import { Callout } from "../../ui/callout.tsx";
import { Page } from "../../ui/page.tsx";
import { Credentials, Done, SignForm } from "./form.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { forgetToken, tokenOfLink } from "./token.ts";

/** Confirms an address. The link alone is not enough: somebody else may have read the email. */
export default function Verify() {
  const [token] = useState(tokenOfLink);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [challenge, setChallenge] = useState<string | null>(null);
  const isIn = session.value.status === "in";

  async function confirm() {
    const { email } = await api.post("/api/settings/profile/email/confirm", { body: { token } });
    forgetToken();
    setConfirmed(email);
  }

  useEffect(() => {
    // The second factor has signed in: what the person came for follows by itself.
    if (isIn && challenge !== null) void attempt(signIn.notConfirmed, confirm);
  }, [isIn, challenge]);

  if (challenge !== null && !isIn) return <SecondFactor challengeToken={challenge} onBack={() => setChallenge(null)} />;
  return (
    <Page
      heading={signIn.verifyHeading}
      lead={confirmed || !token ? undefined : isIn ? signIn.verifySignedIn : signIn.verifyLead}
    >
      {confirmed && <Done>{signIn.confirmed(confirmed)}</Done>}
      {!token && (
        <Callout tone="danger" role="alert">
          {signIn.incomplete}
        </Callout>
      )}
      {token && !confirmed && (
        <SignForm
          key={String(isIn)}
          button={isIn ? signIn.confirm : signIn.signInAndConfirm}
          required={isIn ? {} : { email: signIn.enterEmail, password: signIn.enterPassword }}
          send={async ({ email = "", password = "" }) => {
            if (!isIn) {
              const needed = await begin(email.trim(), password);
              if (needed) {
                setChallenge(needed.challengeToken);
                return;
              }
            }
            await confirm();
          }}
        >
          {!isIn && <Credentials />}
        </SignForm>
      )}
      <p class="sign-links wrap between hint">
        {isIn ? <a href="/app">{signIn.goOn}</a> : <a href="/app/sign-in">{signIn.backToSignIn}</a>}
      </p>
    </Page>
  );
}
