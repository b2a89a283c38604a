import type { Context } from "../../context.ts";
import type { MailServer } from "../../lib/mailbox-kinds.ts";
import { checkSmtp, openImap } from "../../providers/mailbox/client.ts";
import { type Folder, type MailboxAuth, MailboxError } from "../../providers/mailbox/types.ts";

export interface Servers {
  imap: MailServer;
  smtp: MailServer;
}

interface Checked {
  ok: boolean;
  /** Where it failed; null if it did not. */
  step: string | null;
  code: string | null;
  /** In plain English; null if it did not fail. May repeat what the server said. */
  reason: string | null;
  /** In capital letters. */
  capabilities: string[];
}

export interface CheckedServers {
  imap: Checked & { folders: Folder[] };
  smtp: Checked & { maxSize: number | null };
}

const WELL = { ok: true, step: null, code: null, reason: null };
const NOT_TRIED = { ok: false, step: null, code: null, capabilities: [] };

/** Logs in to both servers, lists the folders, and changes nothing. One after the other: some count refused passwords. */
export async function checkServers(ctx: Context, { imap, smtp }: Servers, auth: MailboxAuth): Promise<CheckedServers> {
  const options = { allowPrivateHosts: ctx.config.ALLOW_PRIVATE_HOSTS };
  const received = await checkImap(imap, auth, options);
  if (received.code === "mailbox_auth_failed") {
    const reason = "Not tried, because the server for receiving refused the user name or the password.";
    return { imap: received, smtp: { ...NOT_TRIED, reason, maxSize: null } };
  }
  return { imap: received, smtp: await checkSending(smtp, auth, options) };
}

async function checkImap(
  server: MailServer,
  auth: MailboxAuth,
  options: { allowPrivateHosts: boolean },
): Promise<CheckedServers["imap"]> {
  try {
    const session = await openImap(server, auth, options);
    try {
      return { ...WELL, capabilities: [...session.capabilities].toSorted(), folders: await session.folders() };
    } finally {
      await session.logout();
    }
  } catch (error) {
    return { ...failed(error), folders: [] };
  }
}

async function checkSending(
  server: MailServer,
  auth: MailboxAuth,
  options: { allowPrivateHosts: boolean },
): Promise<CheckedServers["smtp"]> {
  try {
    return { ...WELL, ...(await checkSmtp(server, auth, options)) };
  } catch (error) {
    return { ...failed(error), maxSize: null };
  }
}

function failed(error: unknown): Checked {
  if (!(error instanceof MailboxError)) throw error;
  const { step, code, reason } = error;
  return { ok: false, step, code, reason, capabilities: [] };
}
