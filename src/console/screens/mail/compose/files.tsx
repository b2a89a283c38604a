import { useRef, useState } from "preact/hooks";
import { request } from "../../../client/api.ts";
import { failureToast, toast } from "../../../client/notices.ts";
import { compose as m } from "../../../messages/compose.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { sizeText } from "../attachments.tsx";
import type { Draft } from "./composition.ts";

const LARGEST = 10 * 1024 * 1024;

interface FilesProps {
  draft: Draft | null;
  setFiles(ids: string[]): Promise<void>;
}

export function useFiles({ draft, setFiles }: FilesProps) {
  const [uploading, setUploading] = useState<readonly string[]>([]);
  const ids = useRef<string[]>([]);
  ids.current = draft?.attachments.map(({ id }) => id) ?? ids.current;

  async function add(files: Iterable<File>): Promise<void> {
    for (const file of files) {
      if (file.size > LARGEST) {
        toast(m.tooLarge(file.name));
        continue;
      }
      setUploading((names) => [...names, file.name]);
      try {
        const query = new URLSearchParams({ name: file.name, ...(file.type && { type: file.type }) });
        const response = await request({
          method: "POST",
          path: `/api/emails/attachments?${query}`,
          headers: { "Content-Type": "application/octet-stream" },
          body: file,
        });
        const { id }: { id: string } = await response.json();
        ids.current = [...ids.current, id];
        await setFiles(ids.current);
      } catch (error) {
        failureToast(m.notAttached(file.name), error);
      }
      setUploading((names) => names.filter((name) => name !== file.name));
    }
  }

  const remove = (id: string) => setFiles(ids.current.filter((each) => each !== id));
  return { uploading, add, remove };
}

interface FileListProps {
  draft: Draft | null;
  uploading: readonly string[];
  onRemove(id: string): void;
}

export function FileList({ draft, uploading, onRemove }: FileListProps) {
  const files = draft?.attachments ?? [];
  if (files.length === 0 && uploading.length === 0) return null;
  return (
    <ul class="compose-files">
      {files.map(({ id, name, size }) => (
        <li key={id} class="attachment">
          <Icon name="paperclip" size={16} />
          <span class="attachment-name">{name}</span>
          <span class="attachment-size">{sizeText(size)}</span>
          <IconButton icon="close" label={m.removeFile(name)} onClick={() => onRemove(id)} />
        </li>
      ))}
      {uploading.map((name) => (
        <li key={name} class="attachment" aria-busy="true">
          <span class="spinner" aria-hidden="true" />
          <span class="attachment-name">{m.attaching(name)}</span>
        </li>
      ))}
    </ul>
  );
}
