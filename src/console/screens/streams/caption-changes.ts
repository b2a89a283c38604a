import { api } from "../../client/api.ts";
import { change, rememberVersion, versionOf } from "../../client/changes.ts";
import { captions as m } from "../../messages/captions.ts";
import type { Caption } from "./data.ts";

const decide = (captionId: number, action: "approve" | "skip" | "restore") =>
  api.post("/api/stream/captions/approve", { body: { captionId, action } });

/** Back to where a decision began. What is approved goes back by being skipped first. */
async function takeBack(ids: readonly number[], { isApproved }: { isApproved: boolean }): Promise<void> {
  for (const id of ids) {
    if (isApproved) await decide(id, "skip");
    await decide(id, "restore");
  }
}

export function approve(captions: readonly Caption[]): void {
  decideAll(captions, "approved", m.approved(captions.length));
}

export function skip(captions: readonly Caption[]): void {
  decideAll(captions, "skipped", m.skipped(captions.length));
}

function decideAll(captions: readonly Caption[], status: "approved" | "skipped", done: string): void {
  const ids = captions.map(({ id }) => id);
  void change<Caption, { ids: number[] }>({
    kind: "caption",
    ids,
    edit: (each) => ({ ...each, status }),
    send: () => api.patch("/api/stream/captions/pending", { body: { ids, status } }),
    failed: m.notChanged,
    undo: { done, send: (decided) => takeBack(decided.ids, { isApproved: status === "approved" }) },
  });
}

/** A decision that is no longer open: approved ones can be skipped, skipped ones restored, failed ones approved again. */
export function redecide(caption: Caption, action: "approve" | "skip" | "restore"): void {
  const status = { approve: "approved", skip: "skipped", restore: "pending" } as const;
  const done = { approve: m.approved(1), skip: m.skipped(1), restore: m.restored };
  const back = { approve: null, skip: ["restore", "approve"], restore: ["skip"] } as const;
  const undo = back[action];
  void change<Caption, Caption>({
    kind: "caption",
    ids: [caption.id],
    edit: (each) => ({ ...each, status: status[action] }),
    send: () => decide(caption.id, action),
    failed: m.notChanged,
    ...(undo && {
      undo: {
        done: done[action],
        send: async () => {
          for (const step of undo) await decide(caption.id, step);
        },
      },
    }),
  });
}

/** Throws why it was not saved, for the form to say. */
export async function saveCaption(caption: Caption, text: string, hashtags: string[]): Promise<void> {
  let problem: unknown = null;
  await change<Caption, Caption | null>({
    kind: "caption",
    ids: [caption.id],
    edit: (each) => ({ ...each, text, hashtags }),
    async send() {
      try {
        const saved = await api.patch("/api/stream/captions/{id}", {
          params: { id: caption.id },
          body: { text, hashtags },
          version: versionOf("caption", caption),
        });
        return rememberVersion("caption", saved);
      } catch (error) {
        problem = error;
        return null;
      }
    },
    failed: m.notChanged,
  });
  if (problem) throw problem;
}
