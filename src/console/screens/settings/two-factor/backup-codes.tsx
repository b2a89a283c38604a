import { saveFile } from "../../../lib/clipboard.ts";
import { twoFactor as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/secret.tsx";
import { Section } from "../../../ui/setting.tsx";

interface BackupCodesProps {
  codes: readonly string[];
  account: string;
  onClose(): void;
}

/** Shown once, until the person says that they are kept. */
export function BackupCodes({ codes, account, onClose }: BackupCodesProps) {
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
