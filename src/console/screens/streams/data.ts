import type { components } from "#api";
import { patched } from "../../client/changes.ts";
import { useGet, useList } from "../../client/queries.ts";

export type StreamStatus = components["schemas"]["StreamStatus"];
export type Session = components["schemas"]["StreamSession"];
export type Caption = components["schemas"]["Caption"];
export type CaptionPlatform = Caption["platform"];
export type Milestone = components["schemas"]["Milestone"];
export type Credential = components["schemas"]["StreamCredential"];
export type Voice = components["schemas"]["StreamVoice"];

/** Changes of a session come by themselves; the count of subscribers has no session, so it is asked for now and then. */
const ASK_AGAIN_MS = 60_000;

export function useStatus() {
  return useGet(["stream", "status"], "/api/stream/status", { refetchInterval: ASK_AGAIN_MS });
}

const OPEN = ["pending", "approved", "posting", "failed"] as const;

const isOpenCaption = ({ status }: Caption) => OPEN.some((each) => each === status);

/** Captions that somebody or something still has to do with, or those that are settled. */
export function useCaptions(which: "open" | "settled", platform: string, enabled = true) {
  const list = useList(["caption", "list", which, platform], "/api/stream/captions", {
    query: { status: which === "open" ? OPEN.join(",") : "posted,skipped", limit: 50, ...(platform && { platform }) },
    enabled,
  });
  const fits = (caption: Caption) => isOpenCaption(caption) === (which === "open");
  return { ...list, records: list.records && patched("caption", list.records).filter(fits) };
}
