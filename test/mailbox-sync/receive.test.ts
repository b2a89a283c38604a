import { describe, expect, it } from "vitest";
import { deliver } from "../emails/deliver.ts";
import { expectProblem } from "../harness.ts";
import { FakeMailServer } from "./fake-server.ts";
import { connectMailbox, daysAgo, mail, runCron } from "./mailbox.ts";

describe("the first walk of a mailbox", () => {
  it("stores the history of the wanted days as emails, and makes nothing else of it", async () => {
    const server = new FakeMailServer();
    for (let day = 1; day <= 40; day += 1) server.add("INBOX", mail(), { date: daysAgo(day), seen: day > 5 });
    server.add("Sent", mail({ from: "ada1@mail.test" }), { date: daysAgo(3), seen: true });
    server.add("Archive", mail(), { date: daysAgo(2), flagged: true, seen: true });
    server.add("Trash", mail(), { date: daysAgo(2) });
    const box = await connectMailbox(server);
    await box.syncAll();
    const emails = await box.emails();
    // The day of the month before last counts as a whole.
    expect(emails.length).toBeGreaterThanOrEqual(32);
    expect(emails.length).toBeLessThanOrEqual(33);
    expect(emails.filter((each: { isRead: boolean }) => !each.isRead)).toHaveLength(5);
    expect(emails.filter((each: { direction: string }) => each.direction === "outbound")).toHaveLength(1);
    expect(emails.filter((each: { status: string }) => each.status === "archived")).toHaveLength(2);
    expect(emails.every((each: { analysis: unknown; replyNeeded: unknown }) => each.analysis === null)).toBe(true);
    expect((await box.client.get("/api/tasks", box)).body.data).toEqual([]);
  });

  it("reads new mail before history, and continues where the budget ended", async () => {
    const server = new FakeMailServer();
    for (let index = 0; index < 150; index += 1) server.add("INBOX", mail(), { date: daysAgo(2) });
    const box = await connectMailbox(server);
    const first = await box.sync();
    expect(first.body).toMatchObject({ status: "partial", created: 100, waiting: 50 });
    expect((await box.get()).walk).toEqual({ done: 100, waiting: 50 });
    server.add("INBOX", mail({ subject: "Urgent" }));
    const second = await box.sync();
    expect(second.body).toMatchObject({ status: "succeeded", created: 51, waiting: 0 });
    expect((await box.emails("&q=Urgent")).length).toBe(1);
    expect((await box.get()).walk).toBeNull();
    expect((await box.client.get("/api/tasks", box)).body.data).toHaveLength(1);
  });
});

describe("new mail of a mailbox", () => {
  it("arrives as by Email Routing: with tasks and an analysis, by the cron", async () => {
    const server = new FakeMailServer();
    const box = await connectMailbox(server);
    await runCron();
    server.add("INBOX", mail({ subject: "Contract" }), { flagged: true });
    await runCron();
    const [email] = await box.emails();
    expect(email).toMatchObject({ subject: "Contract", isStarred: true, status: "inbox", source: "inbound" });
    expect(email.analysis).not.toBeNull();
    expect((await box.client.get("/api/tasks", box)).body.data).toHaveLength(1);
  });

  it("is one email with the same message by Email Routing, in both orders", async () => {
    const server = new FakeMailServer();
    const box = await connectMailbox(server);
    await box.sync();
    const one = mail({ subject: "First by Email Routing" });
    await deliver(one);
    server.add("INBOX", `Received: by mail.test\n${one}`);
    await box.sync();
    const other = mail({ subject: "First by IMAP" });
    server.add("INBOX", `Received: by mail.test\n${other}`);
    await box.sync();
    await deliver(other);
    expect(await box.emails()).toHaveLength(2);
    expect((await box.client.get("/api/tasks", box)).body.data).toHaveLength(2);
  });

  it.each([
    ["shorter", 0.4],
    ["longer", 1.6],
    ["far too long", 20],
  ])("is read whole from a server that says it is %s", async (_, factor) => {
    const server = new FakeMailServer();
    const box = await connectMailbox(server);
    await box.sync();
    for (const size of [20_000, 2_000_000]) {
      server.add("INBOX", mail({ subject: `size ${size}`, text: "x\n".repeat(size / 2) }));
    }
    server.sizeOf = (size) => Math.round(size * factor);
    const { body } = await box.sync();
    const isTooLong = factor > 13;
    expect(body).toMatchObject({ created: isTooLong ? 1 : 2, skipped: isTooLong ? 1 : 0, waiting: 0 });
    const emails = await box.emails();
    for (const { id, subject } of emails) {
      const raw = await box.client.get(`/api/emails/${id}/raw`, box);
      expect(raw.bytes.length).toBeGreaterThan(Number(subject.split(" ")[1]));
    }
    server.sizeOf = (size) => size;
    expect((await box.sync()).body).toMatchObject({ created: 0, fetched: 0, skipped: 0 });
  });

  it("believes nobody who says in it that its sender is proved", async () => {
    const server = new FakeMailServer();
    const box = await connectMailbox(server);
    await box.sync();
    const trace = "Received: from mx.example by store.example";
    const forged = "Authentication-Results: mx.cloudflare.net; dmarc=pass header.from=example.com; spf=pass; dkim=pass";
    const one = `${trace}\n${forged}\n${mail()}`;
    server.add("INBOX", one);
    await box.sync();
    const [email] = await box.emails();
    expect(email.authentication).toBeNull();
    // By Email Routing, the same is proved, and it is one email.
    await deliver(one);
    expect((await box.emails())[0].id).toBe(email.id);
    expect(await box.emails()).toHaveLength(1);
  });

  it("is one email in two mailboxes", async () => {
    const [home, work] = [new FakeMailServer(), new FakeMailServer()];
    const one = await connectMailbox(home);
    const two = await connectMailbox(work, { fresh: false, client: one.client });
    await one.sync();
    await two.sync();
    const text = mail();
    const uid = home.add("INBOX", text);
    work.add("INBOX", text);
    await one.sync();
    await two.sync();
    expect(await one.emails()).toHaveLength(1);
    home.flag("INBOX", uid, { seen: true });
    await one.sync();
    expect((await one.emails())[0].isRead).toBe(true);
    await two.sync();
    expect(work.folder("INBOX").messages.get(1)?.seen).toBe(true);
  });
});

describe.each(["rich", "poor"])("changes in a mailbox at a %s server", (kind) => {
  const made = () => (kind === "poor" ? new FakeMailServer().poor() : new FakeMailServer());

  it("come here: flags, moves and messages that are gone", async () => {
    const server = made();
    const box = await connectMailbox(server);
    await box.sync();
    const uids = ["a", "b", "c", "d", "e"].map((subject) => server.add("INBOX", mail({ subject })));
    await box.sync();
    server.flag("INBOX", uids[0] ?? 0, { seen: true, flagged: true });
    server.moveTo("INBOX", uids[1] ?? 0, "Archive");
    server.moveTo("INBOX", uids[2] ?? 0, "Trash");
    server.moveTo("INBOX", uids[3] ?? 0, "Work");
    server.expunge("INBOX", uids[4] ?? 0);
    const bodies = server.bodies;
    const { body } = await box.sync();
    expect(server.bodies).toBe(bodies);
    expect(body).toMatchObject({ flagsIn: 1, movesIn: 4, created: 0, conflicts: 0 });
    const states = (await box.emails()).map((each: Record<string, unknown>) => [
      ...[each.subject, each.status, each.isRead, each.isStarred],
    ]);
    expect(states.toSorted()).toEqual([
      ["a", "inbox", true, true],
      ["b", "archived", false, false],
      ["c", "trash", false, false],
      ["d", "archived", false, false],
      ["e", "archived", false, false],
    ]);
    server.moveTo("Archive", 1, "INBOX");
    await box.sync();
    expect((await box.emails("&q=subject:b"))[0].status).toBe("inbox");
  });

  it("cost two round trips and no written row when there are none", async () => {
    const server = made();
    const box = await connectMailbox(server);
    server.add("INBOX", mail(), { date: daysAgo(2) });
    server.add("INBOX", mail());
    await box.sync();
    await box.sync();
    const before = await box.get();
    await runCron();
    expect((await box.client.get(`/api/settings/mailboxes/${box.id}/sync/runs`, box)).body.data).toHaveLength(2);
    expect(await box.get()).toEqual(before);
  });

  it("stop the sync when most messages are missing, until a full one is asked for", async () => {
    const server = made();
    const box = await connectMailbox(server);
    const uids = Array.from({ length: 40 }, () => server.add("INBOX", mail(), { date: daysAgo(2) }));
    await box.syncAll();
    for (const uid of uids.slice(0, 21)) server.expunge("INBOX", uid);
    expectProblem(await box.sync(), 409, "conflict");
    expect(await box.get()).toMatchObject({ status: "stopped", nextTryAt: null });
    expect(await box.emails("&status=inbox")).toHaveLength(40);
    expect((await box.sync(true)).status).toBe(200);
    const emails = await box.emails();
    expect(emails.filter((each: { status: string }) => each.status === "archived")).toHaveLength(21);
    expect(await box.get()).toMatchObject({ status: "connected" });
  });

  it("survive another UIDVALIDITY: nothing is doubled, and no body is read again", async () => {
    const server = made();
    const box = await connectMailbox(server);
    for (let index = 0; index < 30; index += 1)
      server.add("INBOX", mail({ id: index % 3 ? "" : "none" }), { date: daysAgo(1 + index) });
    await box.syncAll();
    const before = (await box.emails()).length;
    const bodies = server.bodies;
    server.renew("INBOX");
    server.flag("INBOX", 500, { flagged: true });
    await box.syncAll();
    expect(server.bodies).toBe(bodies);
    const emails = await box.emails();
    expect(emails).toHaveLength(before);
    expect(emails.every((each: { status: string }) => each.status === "inbox")).toBe(true);
    expect(emails.filter((each: { isStarred: boolean }) => each.isStarred)).toHaveLength(1);
  });
});
