import { sealPassword } from "../../src/features/mailboxes/secrets.ts";
import { type SeedContext, settingsOf } from "./area.ts";

const ADDRESS = "ada@mail.example.com";
const DAY_MS = 86_400_000;
const FOLDERS = [
  ["INBOX", "inbox"],
  ["Sent", "sent"],
  ["Archive", "archive"],
  ["Trash", "trash"],
  ["Receipts", null],
] as const;

/** A mailbox that is paused, so that nothing is called. Its emails are elsewhere. */
export async function mailboxes({ db, vars, now }: SeedContext): Promise<string> {
  const next = await db
    .prepare("SELECT coalesce(max(seq), 0) + 1 AS id FROM sqlite_sequence WHERE name = 'mailboxes'")
    .first<{ id: number }>();
  const id = next?.id ?? 1;
  const secret = await sealPassword(settingsOf(vars), id, "a sample, which opens nothing");
  const server = (host: string, port: number) => JSON.stringify({ host, port, tls: "implicit" });
  const at = now.getTime() - 20 * DAY_MS;
  await db.batch([
    db
      .prepare(
        `INSERT INTO mailboxes (id, label, address, imap, smtp, username, secret, connection_changed_at, status, paused,
           history_days, connected_at, last_ok_at, version, created_at, updated_at)
         VALUES (?1, 'Sample', ?2, ?3, ?4, ?2, ?5, ?6, 'connected', 1, 30, ?6, ?6, 1, ?6, ?6) ON CONFLICT DO NOTHING`,
      )
      .bind(id, ADDRESS, server("imap.example.com", 993), server("smtp.example.com", 465), secret, at),
    ...FOLDERS.map(([name, role]) =>
      db
        .prepare(
          `INSERT INTO mailbox_folders (mailbox_id, path, name, role, uid_validity, next_uid)
           SELECT id, ?2, ?2, ?3, 1, 1 FROM mailboxes WHERE address = ?1
             AND NOT EXISTS (SELECT 1 FROM mailbox_folders WHERE mailbox_id = mailboxes.id AND path = ?2)`,
        )
        .bind(ADDRESS, name, role),
    ),
  ]);
  return "1 mailbox, paused";
}
