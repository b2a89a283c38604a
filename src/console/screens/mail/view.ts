import { api } from "../../client/api.ts";
import { attempt } from "../../client/notices.ts";
import type { Profile } from "../../client/profile.ts";
import { keepNewest } from "../../client/queries.ts";
import { parts } from "../../messages/parts.ts";

/** Conversations or single messages, for this person everywhere. */
export async function chooseView(mailView: Profile["mailView"]): Promise<void> {
  await attempt(parts.notSaved, async () => {
    keepNewest(["profile"], await api.patch("/api/settings/profile", { body: { mailView } }));
  });
}
