import type { components } from "#api";
import { api } from "../../client/api.ts";
import { patched } from "../../client/changes.ts";
import { useList, useQuery } from "../../client/queries.ts";

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
  return useQuery({
    queryKey: ["stream", "status"],
    queryFn: ({ signal }) => api.get("/api/stream/status", { signal }),
    refetchInterval: ASK_AGAIN_MS,
  });
}

export function useStreamStats() {
  return useQuery({
    queryKey: ["stream", "stats"],
    queryFn: ({ signal }) => api.get("/api/stream/stats", { signal }),
  });
}

export function useSessions() {
  return useList<Session>({
    key: ["stream", "sessions"],
    read: (cursor, signal) => api.get("/api/stream/sessions", { query: { limit: 20, cursor }, signal }),
  });
}

const OPEN = ["pending", "approved", "posting", "failed"] as const;

const isOpenCaption = ({ status }: Caption) => OPEN.some((each) => each === status);

/** Captions that somebody or something still has to do with, or those that are settled. */
export function useCaptions(which: "open" | "settled", platform: string, enabled = true) {
  const list = useList<Caption>({
    key: ["caption", "list", which, platform],
    enabled,
    read: (cursor, signal) =>
      api.get("/api/stream/captions", {
        query: {
          status: which === "open" ? OPEN.join(",") : "posted,skipped",
          limit: 50,
          ...(platform && { platform }),
          cursor,
        },
        signal,
      }),
  });
  const fits = (caption: Caption) => isOpenCaption(caption) === (which === "open");
  return { ...list, records: list.records && patched("caption", list.records).filter(fits) };
}

export function useMilestones() {
  const list = useList<Milestone>({
    key: ["milestone", "list"],
    read: (cursor, signal) => api.get("/api/stream/milestones", { query: { limit: 100, cursor }, signal }),
  });
  return { ...list, records: list.records && patched("milestone", list.records) };
}

export function useCredentials() {
  return useQuery({
    queryKey: ["stream", "credentials"],
    queryFn: ({ signal }) => api.get("/api/stream/credentials", { signal }),
  });
}

export function useVoices() {
  return useQuery({
    queryKey: ["stream", "voices"],
    queryFn: ({ signal }) => api.get("/api/stream/voice", { signal }),
  });
}
