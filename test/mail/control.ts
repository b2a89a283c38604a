import { inject } from "vitest";
import type { MailboxAuth, ServerAddress } from "../../src/providers/mailbox/types.ts";
import type { Cut } from "./servers/cutter.ts";
import type { Control, Sent } from "./servers/start.ts";

/*
 * The real mail servers of `npm run test:mail`. Every name is a user of both Dovecots, with the same password and an
 * empty mailbox: a test takes a new one.
 */

export const servers = inject("mailServers");

let count = 0;

export function newUser(): Extract<MailboxAuth, { kind: "password" }> {
  count += 1;
  return { kind: "password", username: `user${count}-${crypto.randomUUID().slice(0, 8)}`, password: servers.password };
}

export const withTls = (port: number): ServerAddress => ({ host: "localhost", port, tls: "implicit" });
export const withStartTls = (port: number): ServerAddress => ({ host: "localhost", port, tls: "starttls" });

/** From now on connections through this port of a cutter end so; null: not at all. */
export async function cutAt(port: number, cut: Cut | null): Promise<void> {
  await post("cut", { port, cut });
}

/** What another program does to a mailbox: `doveadm("rich", ["expunge", "-u", name, "mailbox", "INBOX", "uid", "3"])`. */
export async function doveadm(server: "rich" | "poor", args: string[], input?: string): Promise<string> {
  return post("doveadm", { server, args, ...(input !== undefined && { input }) });
}

/** Puts a message into a folder, as it is. */
export async function deliver(server: "rich" | "poor", user: string, message: string, folder = "INBOX"): Promise<void> {
  await doveadm(server, ["save", "-u", user, "-m", folder], message);
}

/** What left for this recipient. */
export async function sentTo(recipient: string): Promise<(Omit<Sent, "content"> & { content: Uint8Array })[]> {
  const response = await fetch(`${servers.controlUrl}/sent`);
  const all: Sent[] = await response.json();
  return all
    .filter(({ to }) => to.includes(recipient))
    .map((sent) => ({ ...sent, content: Uint8Array.from(atob(sent.content), (char) => char.charCodeAt(0)) }));
}

async function post<Kind extends keyof Control>(kind: Kind, body: Control[Kind]): Promise<string> {
  const response = await fetch(`${servers.controlUrl}/${kind}`, { method: "POST", body: JSON.stringify(body) });
  const result: string = await response.json();
  if (!response.ok) throw new Error(`${kind}: ${result}`);
  return result;
}
