import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { signIn } from "../../messages/sign-in.ts";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { Done, SignForm } from "./form.tsx";

export default function Forgot() {
  const [isSent, setIsSent] = useState(false);
  return (
    <Page heading={signIn.forgotHeading} lead={isSent ? undefined : signIn.forgotLead}>
      {isSent ? (
        <Done>{signIn.linkSent}</Done>
      ) : (
        <SignForm
          button={signIn.sendLink}
          required={{ email: signIn.enterEmail }}
          send={async ({ email = "" }) => {
            await api.post("/api/auth/password/forgot", { body: { email: email.trim() } });
            setIsSent(true);
          }}
        >
          <TextField label={signIn.email} name="email" type="email" autocomplete="username" autofocus />
        </SignForm>
      )}
      <p class="sign-links wrap between hint">
        <a href="/app/sign-in">{signIn.backToSignIn}</a>
      </p>
    </Page>
  );
}
