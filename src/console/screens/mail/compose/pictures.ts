import { useRef } from "preact/hooks";
import { request } from "../../../client/api.ts";
import type { Draft } from "./composition.ts";
import type { useFiles } from "./files.tsx";
import { addressOf, keepAddress } from "./rich/editor.tsx";

type File_ = Draft["attachments"][number];

interface PicturesGiven {
  draft: Draft | null;
  html: string | null;
  /** Without formatting, a picture is a file like any other. */
  isPlain: boolean;
  changeFiles: Parameters<typeof useFiles>[0];
}

/** Pictures within the text: files of the draft that the HTML names. */
export function usePictures({ draft, html, isPlain, changeFiles }: PicturesGiven) {
  const seen = useRef(new Set<string>());
  const loading = useRef(new Set<string>());
  for (const [, contentId = ""] of (html ?? "").matchAll(/src="cid:([^"]+)"/g)) seen.current.add(contentId);
  const isUnused = ({ contentId }: File_) =>
    !isPlain && contentId !== null && seen.current.has(contentId) && !html?.includes(`cid:${contentId}"`);
  const all = draft?.attachments ?? [];

  function begin(file: File): string {
    const contentId = crypto.randomUUID();
    keepAddress(contentId, URL.createObjectURL(file));
    return contentId;
  }

  function pictureOf(contentId: string): string | null {
    const address = addressOf(contentId);
    if (address !== null) return address;
    const file = all.find((each) => each.contentId === contentId);
    if (!file) return null;
    if (!loading.current.has(contentId)) {
      loading.current.add(contentId);
      void load(file.id, contentId).catch(() => loading.current.delete(contentId));
    }
    return "";
  }

  return {
    begin,
    pictureOf,
    /** A picture that was deleted from the text may come back with Undo, so its file goes when the email is sent. */
    listed: all.filter((each) => !isUnused(each)),
    async forgetUnused() {
      const unused = new Set(all.filter(isUnused).map(({ id }) => id));
      if (unused.size > 0) await changeFiles((ids) => ids.filter((id) => !unused.has(id)));
    },
  };
}

async function load(id: string, contentId: string): Promise<void> {
  const response = await request({ method: "GET", path: `/api/emails/attachments/${id}` });
  keepAddress(contentId, URL.createObjectURL(await response.blob()));
}
