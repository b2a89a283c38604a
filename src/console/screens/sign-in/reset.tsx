import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { signIn } from "../../messages/sign-in.ts";
import { Callout } from "../../ui/callout.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { Done, SignForm } from "./form.tsx";
import { forgetToken, tokenOfLink } from "./token.ts";

export default function Reset() {
  const [isSaved, setIsSaved] = useState(false);
  const [token] = useState(tokenOfLink);
  return (
    <Page heading={signIn.resetHeading} lead={isSaved || !token ? undefined : signIn.resetLead}>
      {isSaved && <Done>{signIn.passwordSaved}</Done>}
      {!token && (
        <Callout tone="danger" role="alert">
          {signIn.incomplete}
        </Callout>
      )}
      {!isSaved && token && (
        <SignForm
          button={signIn.savePassword}
          required={{ password: signIn.enterPassword }}
          send={async ({ password = "" }) => {
            await api.post("/api/auth/password/reset", { body: { token, password } });
            forgetToken();
            setIsSaved(true);
          }}
        >
          <TextField
            label={signIn.newPassword}
            name="password"
            type="password"
            autocomplete="new-password"
            autofocus
            hint={signIn.passwordHint}
          />
        </SignForm>
      )}
      <p class="sign-links wrap between hint">
        <a href="/app/sign-in">{signIn.backToSignIn}</a>
      </p>
    </Page>
  );
}
