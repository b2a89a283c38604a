import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { request } from "../../../client/api.ts";
import { attempt, toast } from "../../../client/notices.ts";
import { sizeText } from "../../../lib/size-text.ts";
import { compose as m } from "../../../messages/compose.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { Draft } from "./composition.ts";

const LARGEST = 10 * 1024 * 1024;

type ChangeFiles = (edited: (ids: string[]) => string[]) => Promise<void>;

/** `onRefused` is told of a picture within the text that could not be stored. */
export function useFiles(changeFiles: ChangeFiles, onRefused: (contentId: string) => void) {
  const [uploading, setUploading] = useState<readonly string[]>([]);
  const underWay = useRef(new Set<Promise<unknown>>());

  function add(files: Iterable<File>, contentId?: string): void {
    for (const file of files) {
      if (file.size > LARGEST) {
        toast(m.tooLarge(file.name));
        if (contentId !== undefined) onRefused(contentId);
        continue;
      }
      const upload = attempt(m.notAttached(file.name), () => attach(file, changeFiles, contentId));
      setUploading((names) => [...names, file.name]);
      underWay.current.add(upload);
      void upload.then((isAttached) => {
        if (!isAttached && contentId !== undefined) onRefused(contentId);
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

async function attach(file: File, changeFiles: ChangeFiles, contentId?: string): Promise<void> {
  const query = new URLSearchParams({
    name: file.name || m.pasted,
    ...(file.type && { type: file.type }),
    ...(contentId !== undefined && { contentId }),
  });
  const response = await request({
    method: "POST",
    path: `/api/emails/attachments?${query}`,
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });
  const { id }: { id: string } = await response.json();
  await changeFiles((ids) => [...ids, id]);
}

interface Dropping {
  root: RefObject<HTMLElement | null>;
  /** Whether files that are dropped beside all windows are for this one. */
  isMine(): boolean;
  add(files: Iterable<File>): void;
  /** On the text itself, a picture becomes a part of it. */
  onPictures(files: readonly File[]): void;
}

/** Files can be dropped anywhere while a window is open: beside it, the browser would leave the page for them. */
export function useDrop(given: Dropping): boolean {
  const [isDropping, setIsDropping] = useState(false);
  const latest = useRef(given);
  latest.current = given;
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const isFor = ({ target }: DragEvent) => {
      const { root, isMine } = latest.current;
      const at = target instanceof Element ? target.closest(".composer") : null;
      return at ? at === root.current : isMine();
    };
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDropping(isFor(event));
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDropping(false);
    };
    const drop = (event: DragEvent) => {
      setIsDropping(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (!isFor(event)) return;
      // Before the editor, which would put them in as they are.
      event.stopPropagation();
      const files = [...(event.dataTransfer?.files ?? [])];
      const isOnText = event.target instanceof Element && event.target.closest(".rich-text") !== null;
      if (isOnText) latest.current.onPictures(files);
      else latest.current.add(files);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop, { capture: true });
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop, { capture: true });
    };
  }, []);
  return isDropping;
}

type Attached = Draft["attachments"][number];

interface FileListProps {
  files: readonly Attached[];
  uploading: readonly string[];
  onRemove(file: Attached): void;
}

export function FileList({ files, uploading, onRemove }: FileListProps) {
  if (files.length === 0 && uploading.length === 0) return null;
  return (
    <ul class="wrap">
      {files.map((file) => (
        <li key={file.id} class="attachment line inline">
          <Icon name="paperclip" size={16} />
          <span class="clip">{file.name}</span>
          <span class="attachment-size hint">{sizeText(file.size)}</span>
          <IconButton icon="close" label={m.removeFile(file.name)} onClick={() => onRemove(file)} />
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
