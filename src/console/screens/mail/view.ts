import { api } from "../../client/api.ts";
import { attempt } from "../../client/notices.ts";
import type { Profile } from "../../client/profile.ts";
import { keepNewest } from "../../client/queries.ts";
import { parts } from "../../messages/parts.ts";

/** Conversations or single messages, and how high the rows are, for this person everywhere. */
export async function chooseView(view: Partial<Pick<Profile, "mailView" | "mailDensity">>): Promise<void> {
  await attempt(parts.notSaved, async () => {
    keepNewest(["profile"], await api.patch("/api/settings/profile", { body: view }));
  });
}
