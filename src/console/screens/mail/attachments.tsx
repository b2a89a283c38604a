import { useEffect, useState } from "preact/hooks";
import { request } from "../../client/api.ts";
import { attempt } from "../../client/notices.ts";
import { sizeText } from "../../lib/size-text.ts";
import { mail as m } from "../../messages/mail.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Email } from "./boxes.ts";

type Attachment = Email["attachments"][number];

const PICTURE = /^image\/(?:png|jpeg|gif|webp|avif)$/;

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
          const isPicture = PICTURE.test(file.type);
          return (
            <li key={file.n}>
              <button
                type="button"
                class="attachment line inline hovers"
                aria-label={isPicture ? m.open(file.name) : m.save(file.name)}
                onClick={() => (isPicture ? setShown(file) : void saveFile(pathOf(file), file.name))}
              >
                <Icon name="paperclip" size={16} />
                <span class="clip">{file.name}</span>
                <span class="attachment-size hint">{sizeText(file.size)}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {shown && <Picture file={shown} path={pathOf(shown)} onClose={() => setShown(null)} />}
    </section>
  );
}

function Picture({ file, path, onClose }: { file: Attachment; path: string; onClose(): void }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let made = "";
    void attempt(m.notOpened, async () => {
      made = URL.createObjectURL(await load(path));
      setAddress(made);
    }).then((isDone) => isDone || onClose());
    return () => URL.revokeObjectURL(made);
  }, [path]);
  return (
    <Dialog
      title={file.name}
      size="large"
      onClose={onClose}
      footer={
        <button type="button" class="button" onClick={() => void saveFile(path, file.name)}>
          {m.save(file.name)}
        </button>
      }
    >
      {address && <img class="picture" src={address} alt={file.name} />}
    </Dialog>
  );
}
