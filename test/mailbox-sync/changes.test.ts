import { afterEach, describe, expect, it, vi } from "vitest";
import { settleCutOffEmails } from "../../src/features/emails/delivery.ts";
import { MailboxError } from "../../src/providers/mailbox/types.ts";
import { expectProblem, systemCtx } from "../harness.ts";
import { FakeMailServer } from "./fake-server.ts";
import { connectMailbox, daysAgo, mail } from "./mailbox.ts";

afterEach(() => void vi.useRealTimers());

const later = (ms: number) => vi.useFakeTimers({ now: Date.now() + ms, toFake: ["Date"] });

async function withMessages(server: FakeMailServer, count: number) {
  for (let index = 0; index < count; index += 1)
    server.add("INBOX", mail({ subject: `m${index}` }), { date: daysAgo(2) });
  const box = await connectMailbox(server);
  await box.syncAll();
  const ids = new Map<string, number>();
  for (const { id, subject } of await box.emails()) ids.set(subject, id);
  const change = async (subject: string, body: object) => {
    const answer = await box.client.patch(`/api/emails/${ids.get(subject)}`, body, box);
    expect(answer.status).toBe(200);
  };
  return { ...box, change, ids };
}

describe.each(["rich", "poor"])("changes made here, at a %s server", (kind) => {
  const made = () => (kind === "poor" ? new FakeMailServer().poor() : new FakeMailServer());

  it("reach the mailbox: read, starred, archived, trashed and back", async () => {
    const server = made();
    const box = await withMessages(server, 4);
    await box.change("m0", { isRead: true, isStarred: true });
    await box.change("m1", { status: "archived" });
    await box.change("m2", { status: "trash" });
    await box.sync();
    expect([...server.folder("INBOX").messages.values()].find(({ uid }) => uid === 1)).toMatchObject({
      seen: true,
      flagged: true,
    });
    expect(server.ids("INBOX")).toHaveLength(2);
    expect(server.ids("Archive")).toHaveLength(1);
    expect(server.ids("Trash")).toHaveLength(1);
    await box.sync();
    await box.change("m1", { status: "inbox" });
    await box.sync();
    await box.sync();
    expect(server.ids("INBOX")).toHaveLength(3);
    expect(server.ids("Archive")).toHaveLength(0);
    const { body } = await box.sync();
    expect(body).toMatchObject({ flagsIn: 0, flagsOut: 0, movesIn: 0, movesOut: 0, conflicts: 0 });
    const states = (await box.emails()).map((each: Record<string, unknown>) => `${each.subject} ${each.status}`);
    expect(states.toSorted()).toEqual(["m0 inbox", "m1 inbox", "m2 trash", "m3 inbox"]);
  });

  it("give way to the mailbox when both moved an email, which is counted", async () => {
    const server = made();
    const box = await withMessages(server, 1);
    await box.change("m0", { status: "archived" });
    server.moveTo("INBOX", 1, "Trash");
    expect((await box.sync()).body).toMatchObject({ conflicts: 1 });
    expect((await box.emails())[0].status).toBe("trash");
    await box.sync();
    expect(server.ids("Trash")).toHaveLength(1);
    expect(server.ids("Archive")).toHaveLength(0);
  });

  it("and those made there converge, wherever a run is cut", async () => {
    for (const cutAfter of [false, true]) {
      for (let cutAt = 0; cutAt < 60; cutAt += 7) {
        const server = made();
        const box = await withMessages(server, 6);
        await box.change("m0", { isRead: true });
        await box.change("m1", { status: "archived" });
        await box.change("m2", { status: "trash" });
        server.flag("INBOX", 4, { flagged: true });
        server.moveTo("INBOX", 5, "Archive");
        server.expunge("INBOX", 6);
        server.add("INBOX", mail({ subject: "new" }));
        Object.assign(server, { calls: [], cutAt, cutAfter });
        await box.sync();
        const isCut = server.cutAt === null;
        server.cutAt = null;
        for (let round = 0; round < 3; round += 1) expect((await box.sync()).status).toBe(200);
        const states = (await box.emails()).map(
          (each: Record<string, unknown>) => `${each.subject} ${each.status} ${each.isRead} ${each.isStarred}`,
        );
        expect(states.toSorted(), `cut at call ${cutAt}`).toEqual([
          ...["m0 inbox true false", "m1 archived false false", "m2 trash false false", "m3 inbox false true"],
          ...["m4 archived false false", "m5 archived false false", "new inbox false false"],
        ]);
        expect(server.ids("INBOX"), `cut at call ${cutAt}`).toHaveLength(3);
        expect([server.ids("Archive").length, server.ids("Trash").length]).toEqual([2, 1]);
        if (!isCut) break;
      }
    }
  });
});

describe("an email that is sent through a mailbox", () => {
  const setUp = async (server = new FakeMailServer()) => {
    const box = await withMessages(server, 1);
    const reply = () => box.client.post(`/api/emails/${box.ids.get("m0")}/reply`, { body: "Yes." }, box);
    return { server, box, reply };
  };

  it.each([true, false])("is there once among the sent ones, whether the server files it (%s)", async (files) => {
    const { server, box, reply } = await setUp();
    server.files = files;
    const sent = await reply();
    expect(sent.status, sent.text).toBe(201);
    expect(sent.body).toMatchObject({ delivery: "sent", from: { email: box.address } });
    expect(server.outgoing).toHaveLength(1);
    expect(server.outgoing[0]?.to).toEqual(["ben@example.com"]);
    await box.sync();
    later(2 * 60_000);
    // An append whose answer is lost is not made twice.
    Object.assign(server, { calls: [] });
    await box.sync();
    await box.sync();
    await box.sync();
    expect(server.ids("Sent")).toEqual([sent.body.messageId]);
    expect(await box.emails()).toHaveLength(2);
  });

  it("has failed if the server refuses a recipient", async () => {
    const { server, reply } = await setUp();
    server.refusal = new MailboxError("recipient_refused", "recipient", "550 5.1.1 ben@example.com: No such user");
    expectProblem(await reply(), 502, "provider_error");
    expect(server.outgoing).toHaveLength(0);
  });

  it("is never sent again after a cut, and is settled when its copy shows up", async () => {
    const { server, box, reply } = await setUp();
    server.refusal = new MailboxError("mail_maybe_sent", "message", "The connection was cut.");
    server.files = true;
    expectProblem(await reply(), 504, "provider_timeout");
    await settleCutOffEmails(systemCtx());
    const find = async () => (await box.emails()).find((each: { direction: string }) => each.direction === "outbound");
    expect((await find()).delivery).toBe("sending");
    await box.sync();
    expect((await find()).delivery).toBe("sent");
    expect(server.outgoing).toHaveLength(1);
  });
});

describe("a mailbox that cannot be read", () => {
  it("is not tried again with a refused password, and its owner is told once", async () => {
    const server = new FakeMailServer();
    const box = await withMessages(server, 1);
    server.password = "another";
    expectProblem(await box.sync(), 422, "mailbox_auth_failed");
    expect(await box.get()).toMatchObject({ status: "auth_failed", nextTryAt: null });
    const { logins } = server;
    expectProblem(await box.sync(), 422, "mailbox_auth_failed");
    expect(server.logins).toBe(logins);
  });

  it("is tried later and later", async () => {
    const server = new FakeMailServer();
    const box = await withMessages(server, 1);
    server.isDown = true;
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      expectProblem(await box.sync(), 502, "provider_error");
      waits.push(Math.round((Date.parse((await box.get()).nextTryAt) - Date.now()) / 60_000));
    }
    expect(waits).toEqual([15, 60, 360, 360]);
    server.isDown = false;
    expect((await box.sync()).status).toBe(200);
    expect(await box.get()).toMatchObject({ status: "connected", reason: null });
  });

  it("is read by one run at a time", async () => {
    const server = new FakeMailServer();
    const box = await withMessages(server, 1);
    server.add("INBOX", mail());
    const answers = await Promise.all([box.sync(), box.sync()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});
