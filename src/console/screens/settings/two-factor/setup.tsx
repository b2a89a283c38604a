import { api } from "../../../client/api.ts";
import { twoFactor as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import { Copyable } from "../../../ui/secret.tsx";
import { Section } from "../../../ui/setting.tsx";

export interface SetupSecret {
  secret: string;
  /** The secret as authenticator apps read it from a QR code. */
  uri: string;
}

interface SetupProps extends SetupSecret {
  onDone(codes: readonly string[] | null): void;
  onClose(): void;
}

/** The secret for the app, and the first code of the app as proof that it has it. */
export function Setup({ secret, uri, onDone, onClose }: SetupProps) {
  return (
    <Section heading={m.step1} lead={m.step1Text}>
      <div class="two-factor wrap">
        <QrCode text={uri} label={m.qr} />
        <div class="two-factor-steps stack gap-16">
          <Copyable label={m.secret} value={secret} />
          <h3>{m.step2}</h3>
          <Form
            button={m.turnOn}
            required={{ code: m.enterCode }}
            beside={<Button onClick={onClose}>{m.cancel}</Button>}
            send={async ({ code = "" }) => {
              const { backupCodes } = await api.post("/api/settings/security/2fa/verify", {
                body: { code: code.replace(/\s/g, "") },
              });
              onDone(backupCodes);
            }}
          >
            <TextField
              label={m.code}
              name="code"
              inputMode="numeric"
              autocomplete="one-time-code"
              maxLength={40}
              autofocus
            />
          </Form>
        </div>
      </div>
    </Section>
  );
}
