import { useState } from "preact/hooks";
import { request } from "../../client/api.ts";
import { attempt } from "../../client/notices.ts";
import { sizeText } from "../../lib/size-text.ts";
import { mail as m } from "../../messages/mail.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Email } from "./boxes.ts";
import { hasPreview, Preview } from "./preview.tsx";

type Attachment = Email["attachments"][number];

async function load(path: string): Promise<Blob> {
  return (await request({ method: "GET", path, headers: { Accept: "*/*" } })).blob();
}

/** Files are saved, never opened as a page: whatever they contain gets no access to this origin. */
export async function saveFile(path: string, name: string): Promise<void> {
  await attempt(m.notOpened, async () => {
    const bytes = await load(path);
    const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
}

export function saveMessage(id: number): void {
  void saveFile(`/api/emails/${id}/raw`, `email-${id}.eml`);
}

export function Attachments({ email }: { email: Pick<Email, "id" | "attachments"> }) {
  const files = email.attachments.filter(({ inline }) => !inline);
  const [shown, setShown] = useState<Attachment | null>(null);
  if (files.length === 0) return null;
  const pathOf = ({ n }: Attachment) => `/api/emails/${email.id}/attachments/${n}`;
  return (
    <section class="attachments" aria-label={m.attachments(files.length)}>
      <ul class="wrap">
        {files.map((file) => {
          const isShown = hasPreview(file);
          return (
            <li key={file.n}>
              <button
                type="button"
                class="attachment line inline hovers"
                aria-label={isShown ? m.open(file.name) : m.save(file.name)}
                onClick={() => (isShown ? setShown(file) : void saveFile(pathOf(file), file.name))}
              >
                <Icon name="paperclip" size={16} />
                <span class="clip">{file.name}</span>
                <span class="attachment-size hint">{sizeText(file.size)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {shown && (
        <Preview
          file={shown}
          path={pathOf(shown)}
          onSave={() => void saveFile(pathOf(shown), shown.name)}
          onClose={() => setShown(null)}
        />
      )}
    </section>
  );
}
