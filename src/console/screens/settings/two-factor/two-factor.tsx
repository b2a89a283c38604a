import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useGet } from "../../../client/queries.ts";
import { saveFile } from "../../../lib/clipboard.ts";
import { pastText } from "../../../lib/time.ts";
import { twoFactor as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import { Copyable, CopyButton } from "../../../ui/secret.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";

export default function TwoFactor({ profile }: SettingsProps) {
  const now = useNow();
  const [setup, setSetup] = useState<SetupSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { isBusy, attempt } = useAttempt();
  const query = useGet(["setting", "two-factor"], "/api/settings/security/2fa");
  if (!query.data) return <Pending of={query} rows={3} />;
  const { enabled, enabledAt, backupCodesLeft } = query.data;
  const reread = () => queryClient.invalidateQueries({ queryKey: ["setting"] });

  async function begin() {
    await attempt(m.notStarted, async () => {
      const { secret, otpauthUri } = await api.post("/api/settings/security/2fa/setup", { body: {} });
      if (secret !== null && otpauthUri !== null) setSetup({ secret, uri: otpauthUri });
    });
  }

  const disable = () =>
    ask({
      ...{ title: m.disableTitle, text: m.disableText, button: m.disable, failed: m.notDisabled },
      async run() {
        await api.post("/api/settings/security/2fa/disable", { body: {} });
        toast(m.disabled);
        await reread();
      },
    });
  const replace = () =>
    ask({
      ...{ title: m.replaceTitle, text: m.replaceText, button: m.replace, failed: m.notReplaced },
      async run() {
        const { backupCodes } = await api.post("/api/settings/security/2fa/backup-codes", { body: {} });
        setCodes(backupCodes);
        await reread();
      },
    });

  if (codes) {
    return <BackupCodes codes={codes} account={profile.email.address} onClose={() => setCodes(null)} />;
  }
  if (setup && !enabled) {
    return (
      <Setup
        {...setup}
        onClose={() => setSetup(null)}
        onDone={(given) => {
          setSetup(null);
          setCodes(given);
          toast(m.turnedOn);
          void reread();
        }}
      />
    );
  }
  if (!enabled) {
    return (
      <Section
        heading={m.off}
        lead={m.offText}
        actions={
          <Button tone="primary" isBusy={isBusy} onClick={() => void begin()}>
            {m.setUp}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <Section
        heading={m.on}
        lead={enabledAt && m.onSince(pastText(profile, new Date(enabledAt), now))}
        actions={
          <Button tone="danger" onClick={disable}>
            {m.disable}
          </Button>
        }
      />
      <Section
        heading={m.backup}
        lead={backupCodesLeft < 4 ? `${m.left(backupCodesLeft)} ${m.few}` : m.left(backupCodesLeft)}
        actions={<Button onClick={replace}>{m.replace}</Button>}
      />
    </>
  );
}

interface BackupCodesProps {
  codes: readonly string[];
  account: string;
  onClose(): void;
}

/** Shown once, until the person says that they are kept. */
function BackupCodes({ codes, account, onClose }: BackupCodesProps) {
  const text = `${m.fileHead(location.host, account)}\n\n${codes.join("\n")}\n`;
  return (
    <Section heading={m.codes} lead={m.codesText}>
      <ol class="backup-codes tiles">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="form-actions wrap">
        <CopyButton text={codes.join("\n")} label={m.copy} />
        <Button icon="download" onClick={() => saveFile(m.file, new Blob([text], { type: "text/plain" }))}>
          {m.download}
        </Button>
        <Button tone="primary" onClick={onClose}>
          {m.kept}
        </Button>
      </div>
    </Section>
  );
}

interface SetupSecret {
  secret: string;
  /** The secret as authenticator apps read it from a QR code. */
  uri: string;
}

interface SetupProps extends SetupSecret {
  onDone(codes: readonly string[] | null): void;
  onClose(): void;
}

/** The secret for the app, and the first code of the app as proof that it has it. */
function Setup({ secret, uri, onDone, onClose }: SetupProps) {
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
