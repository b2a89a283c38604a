import type { SeedContext } from "./area.ts";
import { pdf } from "./mail-files.ts";

const IDENTITY = { name: "Ada Lovelace", signature: "Ada Lovelace\nAnalytical Engines Ltd" };

const DRAFTS = [
  {
    to: [{ name: "Fumiko Tanaka", email: "f.tanaka@kitefold.example" }, "Priya"],
    subject: "Dinner after the conference",
    body: "Hi Fumiko,\n\nshall we have dinner on the last evening?",
    file: null,
  },
  // The one that can be sent as it is: /docs sends the second.
  {
    to: [{ name: "Bruno Costa", email: "bruno@costa-foods.example" }],
    subject: "Offer for a data audit, second version",
    body: "Hi Bruno,\n\nhere is the offer with the smaller scope that you asked for.",
    file: pdf("offer.pdf", ["Offer", "Data audit, two days", "2,400 EUR"]),
  },
];

/** Who Ada writes as, and two emails that she has begun; those that are there already stay. */
export async function writing({ db, files, now }: SeedContext): Promise<string> {
  const at = now.getTime();
  await db
    .prepare(
      `INSERT INTO identities (user_id, name, signature_text, undo_send_seconds, is_default, version, created_at, updated_at)
       SELECT id, ?1, ?2, 0, 0, 1, ?3, ?3 FROM users
       WHERE email = 'ada@example.com' AND NOT EXISTS (SELECT 1 FROM identities WHERE user_id = users.id AND name = ?1)`,
    )
    .bind(IDENTITY.name, IDENTITY.signature, at)
    .run();
  for (const { to, subject, body, file } of DRAFTS) {
    const created = await db
      .prepare(
        `INSERT INTO email_drafts (to_recipients, cc_recipients, bcc_recipients, subject, body, quote, signature, version, created_at, updated_at)
         SELECT ?1, '[]', '[]', ?2, ?3, 1, 1, 1, ?4, ?4 WHERE NOT EXISTS (SELECT 1 FROM email_drafts WHERE subject = ?2)
         RETURNING id`,
      )
      .bind(JSON.stringify(to), subject, body, at)
      .first<{ id: number }>();
    if (!created || !file) continue;
    const id = crypto.randomUUID();
    const key = `uploads/${now.toISOString().slice(0, 10)}/${id}`;
    await files.put(key, file.content);
    await db
      .prepare(
        "INSERT INTO email_uploads (id, key, name, type, size, draft_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
      )
      .bind(id, key, file.name, file.type, file.content.length, created.id, at)
      .run();
  }
  return `A sender identity, ${DRAFTS.length} drafts and an email that leaves in a month`;
}
