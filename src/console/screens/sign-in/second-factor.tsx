import { useState } from "preact/hooks";
import { completeSignIn } from "../../client/session.ts";
import { signIn } from "../../messages/sign-in.ts";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { SignForm } from "./form.tsx";

export function SecondFactor({ challengeToken, onBack }: { challengeToken: string; onBack(): void }) {
  const [isBackup, setIsBackup] = useState(false);
  return (
    <Page heading={signIn.twoFactorHeading} lead={isBackup ? signIn.backupLead : signIn.twoFactorLead}>
      <SignForm
        key={String(isBackup)}
        button={signIn.signIn}
        required={{ code: signIn.enterCode, backupCode: signIn.enterCode }}
        send={({ code = "", backupCode = "" }) =>
          completeSignIn(
            challengeToken,
            isBackup ? { backupCode: backupCode.trim() } : { code: code.replace(/\D/g, "") },
          )
        }
      >
        {isBackup ? (
          <TextField label={signIn.backupCode} name="backupCode" autocomplete="off" spellcheck={false} autofocus />
        ) : (
          <TextField label={signIn.code} name="code" inputMode="numeric" autocomplete="one-time-code" autofocus />
        )}
      </SignForm>
      <p class="sign-links wrap between hint">
        <button type="button" class="link-button bare" onClick={() => setIsBackup(!isBackup)}>
          {isBackup ? signIn.useCode : signIn.useBackup}
        </button>
        <button type="button" class="link-button bare" onClick={onBack}>
          {signIn.startAgain}
        </button>
      </p>
    </Page>
  );
}
