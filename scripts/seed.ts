// npm run seed [-- --persist-to <folder>]
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getPlatformProxy } from "wrangler";
import { migrate, offline, persistToOf, root, stateFolder } from "./migrate.mjs";
import { type Area, randomOf } from "./seed/area.ts";
import { automation } from "./seed/automation.ts";
import { calendar } from "./seed/calendar.ts";
import { captions } from "./seed/captions.ts";
import { chat } from "./seed/chat.ts";
import { contacts } from "./seed/contacts.ts";
import { mail } from "./seed/mail.ts";
import { mailboxes } from "./seed/mailboxes.ts";
import { people } from "./seed/people.ts";
import { sorting } from "./seed/sorting.ts";
import { stream } from "./seed/stream.ts";
import { tasks } from "./seed/tasks.ts";
import { tokens } from "./seed/tokens.ts";
import { writing } from "./seed/writing.ts";

/** In this order: later areas may build on earlier ones. */
const AREAS: Record<string, Area> = {
  people,
  mail,
  contacts,
  sorting,
  writing,
  calendar,
  tasks,
  chat,
  tokens,
  automation,
  mailboxes,
  stream,
  captions,
};

/** A few seconds in all. */
const ATTEMPTS = 20;
const PAUSE_MS = 100;

const CALLS = `
Three calls to try while \`npm run dev\` is running:

  curl 'localhost:8787/api/emails?tag=sales&limit=5'

  curl 'localhost:8787/api/calendar/upcoming?days=7'

  TOKEN=$(curl -s localhost:8787/api/auth/login -H 'Content-Type: application/json' \\
    -d '{"email":"ada@example.com","password":"correct horse battery staple"}' | sed -E 's/.*"token":"([^"]+)".*/\\1/')

  curl localhost:8787/api/auth/me -H "Authorization: Bearer $TOKEN"
`;

const persistTo = persistToOf(process.argv.slice(2));
migrate(persistTo);
if (await fill()) console.log(CALLS);
else {
  console.error("The local database is in use. Stop `npm run dev`, run `npm run seed`, and start it again.");
  process.exitCode = 1;
}

/** False when the database was never free to write to. */
async function fill(): Promise<boolean> {
  Object.assign(process.env, offline, { WRANGLER_LOG: "error" });
  const { env, dispose } = await getPlatformProxy<{
    DB: D1Database;
    KV: KVNamespace;
    FILES: R2Bucket;
    [name: string]: unknown;
  }>({
    configPath: join(root, "wrangler.toml"),
    environment: "stores",
    persist: { path: join(stateFolder(persistTo), "v3") },
    remoteBindings: false,
  });
  const { DB: db, KV: kv, FILES: files, ...vars } = env;
  const now = new Date(new Date().setUTCHours(0, 0, 0, 0));
  try {
    for (const [name, area] of Object.entries(AREAS)) {
      const summary = await whenFree(() => area({ db, kv, files, vars, random: randomOf(name), now }));
      if (summary === null) return false;
      console.log(summary);
    }
    return true;
  } finally {
    await dispose();
  }
}

/** A running `npm run dev` uses the same file, and SQLite lets one of the two write at a time. */
async function whenFree(work: () => Promise<string>): Promise<string | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!String(error).includes("SQLITE_BUSY")) throw error;
      await sleep(PAUSE_MS);
    }
  }
  return null;
}
