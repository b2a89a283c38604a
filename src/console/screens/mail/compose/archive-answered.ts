import "../../../base.ts";
import { api } from "../../../client/api.ts";
import { attempt } from "../../../client/notices.ts";
import { mail } from "../../../messages/mail.ts";
import { archive } from "../email-changes.ts";
import { loadedEmail } from "../use-mail.ts";

/** Archives the conversation of an email that was answered. */
export async function archiveAnswered(id: number): Promise<void> {
  await attempt(mail.notChanged, async () => {
    const email = loadedEmail(id) ?? (await api.get("/api/emails/{id}", { params: { id } }));
    archive({ emails: [email], areThreads: true });
  });
}
