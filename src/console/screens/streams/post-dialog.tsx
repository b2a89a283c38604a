import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { captions as m } from "../../messages/captions.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Caption } from "./data.ts";

/** As many as one request posts. */
const MOST = 50;

/** Says what goes where before it does: a post cannot be taken back. */
export function PostDialog({ captions, onClose }: { captions: readonly Caption[]; onClose(): void }) {
  const meant = captions.slice(0, MOST);
  async function post() {
    try {
      const { posted, failed, notPosted } = await api.post("/api/stream/captions/dispatch", {
        body: { captionIds: meant.map(({ id }) => id) },
      });
      const rest = failed + notPosted;
      toast(rest === 0 ? m.posted(posted) : m.postedBut(posted, rest));
    } finally {
      void queryClient.invalidateQueries({ queryKey: ["caption"] });
    }
  }
  return (
    <FormDialog title={m.postTitle(meant.length)} lead={m.postText} button={m.postNow} send={post} onClose={onClose}>
      <ul class="post-list stack">
        {meant.map(({ id, platform, text }) => (
          <li key={id}>
            <strong>{m.platforms[platform]}</strong>
            <span class="clip muted">{text}</span>
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
