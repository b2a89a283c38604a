import { eq } from "drizzle-orm";
import { expect, onTestFinished, vi } from "vitest";
import { mailboxes } from "../../src/db/schema/mailboxes.ts";
import { sealPassword } from "../../src/features/mailboxes/secrets.ts";
import * as mailClient from "../../src/providers/mailbox/client.ts";
import { EVERY_FIVE_MINUTES, runSchedule } from "../../src/schedule.ts";
import { signedInPerson } from "../auth/people.ts";
import { type Client, emptyService, service, systemCtx } from "../harness.ts";
import { deliverQueue, takeQueued } from "../queued.ts";
import type { FakeMailServer } from "./fake-server.ts";

const STATUSES = ["inbox", "archived", "spam", "trash"];
const HOUR = 60 * 60_000;
let made = 0;

export interface TestMailbox {
  id: number;
  address: string;
  client: Client;
  token: string;
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
  const { token } = await signedInPerson("owner");
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
  await ctx.db
    .update(mailboxes)
    .set({ secret: await sealPassword(ctx, id, password) })
    .where(eq(mailboxes.id, id));
  servers.set(`imap${made}.mail.test`, server);
  servers.set(`smtp${made}.mail.test`, server);
  vi.spyOn(mailClient, "openImap").mockImplementation((at, auth) => found(at.host).open(at, auth as never));
  vi.spyOn(mailClient, "sendBySmtp").mockImplementation((at, ...rest) => found(at.host).send(at, ...rest));
  onTestFinished(() => void vi.restoreAllMocks());
  const path = `/api/settings/mailboxes/${id}`;
  const sync = (full = false) => client.post(`${path}/sync${full ? "?full=true" : ""}`, undefined, { token });
  return {
    ...{ id, address, client, token, sync },
    async syncAll() {
      for (let round = 0; round < 100; round += 1) {
        const { status, body } = await sync();
        expect(status, JSON.stringify(body)).toBe(200);
        if (body.waiting === 0) return;
      }
      expect.unreachable("the mailbox is never read");
    },
    async emails(query = "") {
      const boxes = /status=/.test(query) ? [query] : STATUSES.map((status) => `&status=${status}${query}`);
      const pages = await Promise.all(boxes.map((each) => client.get(`/api/emails?limit=100${each}`, { token })));
      return pages.flatMap(({ body }) => body.data);
    },
    get: async () => (await client.get(path, { token })).body,
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
