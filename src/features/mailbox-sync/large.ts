import type { ImapSession } from "../../providers/mailbox/types.ts";

export async function readLarge(_session: ImapSession, _head: unknown): Promise<null> {
  return null;
}
