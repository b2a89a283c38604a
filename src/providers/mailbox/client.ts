import type { ConnectionOptions, ImapSession, MailboxAuth, OutgoingMail, ServerAddress } from "./types.ts";

/*
 * The mail client is loaded when a mailbox is used: no other request pays for it.
 */

/** Connects and logs in. Always `logout()` at the end. */
export async function openImap(
  server: ServerAddress,
  auth: MailboxAuth,
  options: ConnectionOptions,
): Promise<ImapSession> {
  const { openImap } = await import("./imap/session.ts");
  return openImap(server, auth, options);
}

/** Sends to all recipients or to none: throws `recipient_refused` or `mail_refused` when nothing was sent. */
export async function sendBySmtp(
  server: ServerAddress,
  auth: MailboxAuth,
  options: ConnectionOptions,
  mail: OutgoingMail,
): Promise<void> {
  const { sendBySmtp } = await import("./smtp/send.ts");
  return sendBySmtp(server, auth, options, mail);
}

/** Connects and logs in, and sends nothing. `maxSize` in bytes, null if the server names none. */
export async function checkSmtp(
  server: ServerAddress,
  auth: MailboxAuth,
  options: ConnectionOptions,
): Promise<{ capabilities: string[]; maxSize: number | null }> {
  const { checkSmtp } = await import("./smtp/send.ts");
  return checkSmtp(server, auth, options);
}
