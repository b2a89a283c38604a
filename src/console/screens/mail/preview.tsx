import { find } from "../../messages/find.ts";
import { mail as m } from "../../messages/mail.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

interface File {
  name: string;
  type: string;
}

const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|application\/pdf|text\/.+)$/;
const UNKNOWN = /^application\/(?:octet-stream|x-download|force-download|json|xml)$/;
const ENDING = /\.(?:pdf|png|jpe?g|gif|webp|avif|bmp|txt|md|[ct]sv|log|ics|json|xml)$/i;

/** As the service shows them: see `previewType`. */
export const hasPreview = ({ name, type }: File) => SHOWN.test(type) || (UNKNOWN.test(type) && ENDING.test(name));
const isPdf = ({ name, type }: File) => type === "application/pdf" || (UNKNOWN.test(type) && /\.pdf$/i.test(name));

interface PreviewProps {
  file: File;
  path: string;
  onSave(): void;
  onClose(): void;
}

/** A file in a frame that runs nothing of it. Esc closes it, and the focus is where it was. */
export function Preview({ file, path, onSave, onClose }: PreviewProps) {
  return (
    <Dialog
      title={file.name}
      size="large"
      typed="none"
      onClose={onClose}
      footer={
        <Button icon="download" onClick={onSave}>
          {m.save(file.name)}
        </Button>
      }
    >
      <iframe
        title={find.previewOf(file.name)}
        class="preview"
        // Browsers start their PDF viewer, which is a sandbox of its own, in no other one.
        {...(!isPdf(file) && { sandbox: "" })}
        src={`${path}/preview`}
      />
    </Dialog>
  );
}
