import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * The local runtime stores each email in a database before it accepts it, and each start of the server makes a new one.
 * Its files with the texts do not count: it writes them after it has accepted the email, so a kill loses them. Returns
 * how often each text that matches was sent.
 */
export function countSent(folder: string, mark: RegExp): Map<string, number> {
  const times = new Map<string, number>();
  for (const sent of readdirSync(folder).flatMap((runtime) => sentBy(join(folder, runtime)))) {
    const [text] = mark.exec(sent) ?? [];
    if (text !== undefined) times.set(text, (times.get(text) ?? 0) + 1);
  }
  return times;
}

function sentBy(runtime: string): string[] {
  const files = readdirSync(runtime, { recursive: true, encoding: "utf8" });
  const stores = files.filter((name) => /email-store.*[0-9a-f]{64}\.sqlite$/.test(name));
  return stores.flatMap((name) => {
    const db = new DatabaseSync(join(runtime, name), { readOnly: true });
    // A runtime that was killed while it made the database left it empty.
    const isMade = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'emails'").get() !== undefined;
    const sql = "SELECT json_extract(data, '$.text') AS text FROM emails WHERE kind = 'sent'";
    const rows = isMade ? db.prepare(sql).all() : [];
    db.close();
    return rows.map(({ text }) => String(text));
  });
}

export function sentTwice(sent: ReadonlyMap<string, number>): string[] {
  const twice = [...sent].filter(([, count]) => count > 1);
  return twice.map(([text, count]) => `"${text}" was sent ${count} times`);
}
