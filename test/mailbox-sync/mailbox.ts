import { expect, onTestFinished, vi } from "vitest";
import { mailboxes } from "../../src/db/schema/mailboxes.ts";
import { mailServers } from "../../src/features/mailbox-sync/servers.ts";
import { sealPassword } from "../../src/features/mailboxes/secrets.ts";
import { EVERY_FIVE_MINUTES, runSchedule } from "../../src/schedule.ts";
import { type Client, emptyService, service, systemCtx } from "../harness.ts";
import { deliverQueue, takeQueued } from "../queued.ts";
import type { FakeMailServer } from "./fake-server.ts";

const HOUR = 60 * 60_000;
let made = 0;

export interface TestMailbox {
  id: number;
  address: string;
  client: Client;
  sync(full?: boolean): Promise<Awaited<ReturnType<Client["post"]>>>;
  /** Until nothing waits. */
  syncAll(): Promise<void>;
  /** Everything here, newest first. */
  emails(query?: string): Promise<Awaited<ReturnType<Client["get"]>>["body"]["data"]>;
  get(): Promise<Awaited<ReturnType<Client["get"]>>["body"]>;
}

/** A service that is empty but for a mailbox at a server in memory. */
export async function connectMailbox(
  server: FakeMailServer,
  { password = server.password, historyDays = 30, fresh = true, client = service() } = {},
): Promise<TestMailbox> {
  if (fresh) {
    await emptyService();
    await systemCtx().db.delete(mailboxes);
  }
  made += 1;
  const address = `ada${made}@mail.test`;
  const ctx = systemCtx();
  const [row] = await ctx.db
    .insert(mailboxes)
    .values({
      ...{ label: address, address, name: "Ada", username: address, secret: "", historyDays },
      imap: { host: `imap${made}.mail.test`, port: 993, tls: "implicit" },
      smtp: { host: `smtp${made}.mail.test`, port: 465, tls: "implicit" },
      ...{ status: "connected", connectionChangedAt: ctx.now, connectedAt: new Date(Date.now() - HOUR) },
      ...{ nextTryAt: new Date(0), version: 1, createdAt: ctx.now, updatedAt: ctx.now },
    })
    .returning({ id: mailboxes.id });
  const id = row?.id ?? 0;
  await ctx.db.update(mailboxes).set({ secret: await sealPassword(ctx, id, password) });
  servers.set(`imap${made}.mail.test`, server);
  servers.set(`smtp${made}.mail.test`, server);
  vi.spyOn(mailServers, "openImap").mockImplementation((at, auth) => found(at.host).open(at, auth as never));
  vi.spyOn(mailServers, "sendBySmtp").mockImplementation((at, ...rest) => found(at.host).send(at, ...rest));
  onTestFinished(() => void vi.restoreAllMocks());
  const path = `/api/settings/mailboxes/${id}`;
  const sync = (full = false) => client.post(`${path}/sync${full ? "?full=true" : ""}`);
  return {
    ...{ id, address, client, sync },
    async syncAll() {
      for (let round = 0; round < 100; round += 1) {
        const { status, body } = await sync();
        expect(status, JSON.stringify(body)).toBe(200);
        if (body.waiting === 0) return;
      }
      expect.unreachable("the mailbox is never read");
    },
    emails: async (query = "") => (await client.get(`/api/emails?limit=100&status=all${query}`)).body.data,
    get: async () => (await client.get(path)).body,
  };
}

const servers = new Map<string, FakeMailServer>();
function found(host: string): FakeMailServer {
  const server = servers.get(host);
  if (!server) throw new Error(`no server ${host}`);
  return server;
}

/** The cron, and what it sends to the queue. */
export async function runCron(): Promise<void> {
  takeQueued();
  await runSchedule(EVERY_FIVE_MINUTES, systemCtx());
  await deliverQueue();
}

let mails = 0;

/** A message that asks for something. */
export function mail({ id = "", from = "Ben <ben@example.com>", to = "ada@mail.test", subject = "", text = "" } = {}) {
  mails += 1;
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject || `Message ${mails}`}`,
    ...(id === "none" ? [] : [`Message-ID: <${id || `m${mails}@example.com`}>`]),
    "Date: Thu, 19 Nov 2026 08:00:00 +0000",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    text || "Please send me the signed contract by Friday.",
    "",
  ].join("\n");
}

export const daysAgo = (days: number) => Date.now() - days * 24 * HOUR;
