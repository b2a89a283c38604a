import { vi } from "vitest";
import { assertType } from "../../src/lib/cast.ts";
import * as client from "../../src/providers/mailbox/client.ts";
import {
  type Folder,
  type ImapSession,
  MailboxError,
  type MailboxErrorCode,
  type ServerAddress,
} from "../../src/providers/mailbox/types.ts";

export const MAILBOX_PASSWORD = "abcd-efgh-ijkl-mnop";

const folder = (path: string, role: Folder["role"], raw = path): Folder => ({
  ...{ path, raw, role },
  delimiter: "/",
  selectable: true,
});

/** Two servers that know one password. Only the provider's two functions are replaced. */
export function fakeServers() {
  const world = {
    password: MAILBOX_PASSWORD,
    folders: [
      folder("INBOX", "inbox"),
      folder("Gesendet", "sent"),
      folder("Archiv", "archive"),
      folder("Papierkorb", "trash"),
      folder("Müll", "junk", "M&APw-ll"),
      folder("Rechnungen", null),
    ],
    /** What each server fails with. */
    faults: {} as Partial<Record<"imap" | "smtp", MailboxErrorCode>>,
    logins: [] as string[],
    open: 0,
    /** Runs while the server for receiving is asked. */
    meanwhile: async () => {},
  };
  const fail = (kind: "imap" | "smtp", server: ServerAddress, password: string) => {
    world.logins.push(`${kind} ${server.host}:${server.port} ${server.tls}`);
    const fault = world.faults[kind];
    if (fault) throw new MailboxError(fault, "connect", `${server.host} does not answer.`);
    if (password !== world.password) {
      throw new MailboxError("mailbox_auth_failed", "login", "Invalid credentials (Failure)");
    }
  };
  vi.spyOn(client, "openImap").mockImplementation(async (server, auth) => {
    fail("imap", server, auth.kind === "password" ? auth.password : "");
    world.open += 1;
    const session = {
      capabilities: new Set(["MOVE", "IDLE"]),
      async folders() {
        await world.meanwhile();
        return world.folders;
      },
      async logout() {
        world.open -= 1;
      },
    };
    return assertType<ImapSession>(session);
  });
  vi.spyOn(client, "checkSmtp").mockImplementation(async (server, auth) => {
    fail("smtp", server, auth.kind === "password" ? auth.password : "");
    return { capabilities: ["SIZE"], maxSize: 35_000_000 };
  });
  return world;
}
