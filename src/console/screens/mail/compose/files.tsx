import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../../../client/api.ts";
import { attempt, toast } from "../../../client/notices.ts";
import { compose as m } from "../../../messages/compose.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { sizeText } from "../attachments.tsx";
import type { Draft } from "./composition.ts";

const LARGEST = 10 * 1024 * 1024;

type ChangeFiles = (edited: (ids: string[]) => string[]) => Promise<void>;

export function useFiles(changeFiles: ChangeFiles) {
  const [uploading, setUploading] = useState<readonly string[]>([]);
  const underWay = useRef(new Set<Promise<unknown>>());

  function add(files: Iterable<File>): void {
    for (const file of files) {
      if (file.size > LARGEST) {
        toast(m.tooLarge(file.name));
        continue;
      }
      const upload = attempt(m.notAttached(file.name), () => attach(file, changeFiles));
      setUploading((names) => [...names, file.name]);
      underWay.current.add(upload);
      void upload.then(() => {
        underWay.current.delete(upload);
        setUploading((names) => names.toSpliced(names.indexOf(file.name), 1));
      });
    }
  }

  const remove = (id: string) => changeFiles((ids) => ids.filter((each) => each !== id));
  /** Resolves when all files that were added are attached, or refused. */
  const settled = async () => void (await Promise.all(underWay.current));
  return { uploading, add, remove, settled };
}

async function attach(file: File, changeFiles: ChangeFiles): Promise<void> {
  const query = new URLSearchParams({ name: file.name || m.pasted, ...(file.type && { type: file.type }) });
  const response = await request({
    method: "POST",
    path: `/api/emails/attachments?${query}`,
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });
  const { id }: { id: string } = await response.json();
  await changeFiles((ids) => [...ids, id]);
}

/** Files can be dropped anywhere while the window is open: beside it, the browser would leave the page for them. */
export function useDrop(add: (files: Iterable<File>) => void): boolean {
  const [isDropping, setIsDropping] = useState(false);
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDropping(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDropping(false);
    };
    const drop = (event: DragEvent) => {
      setIsDropping(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      latest.current(event.dataTransfer?.files ?? []);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);
  return isDropping;
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
    <ul class="wrap">
      {files.map(({ id, name, size }) => (
        <li key={id} class="attachment line inline">
          <Icon name="paperclip" size={16} />
          <span class="clip">{name}</span>
          <span class="attachment-size hint">{sizeText(size)}</span>
          <IconButton icon="close" label={m.removeFile(name)} onClick={() => onRemove(id)} />
        </li>
      ))}
      {uploading.map((name, index) => (
        <li key={`${index} ${name}`} class="attachment line inline" aria-busy="true">
          <span class="spinner" aria-hidden="true" />
          <span class="clip">{m.attaching(name)}</span>
        </li>
      ))}
    </ul>
  );
}
