import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openImap } from "../../src/providers/mailbox/client.ts";
import type { ImapSession } from "../../src/providers/mailbox/types.ts";
import { signedInPerson } from "../auth/people.ts";
import { type Client, emptyService, expectProblem, service } from "../harness.ts";
import { daysAgo, mail, runCron } from "../mailbox-sync/mailbox.ts";
import { cutAt, deliver, doveadm, newUser, sentTo, servers, withTls } from "./control.ts";

/*
 * A mailbox that is connected by HTTP, synced with a real server, and changed by another program. What each run does in
 * every order is tested at the server in memory (test/mailbox-sync); here, that a real one is no different.
 */

const PATH = "/api/settings/mailboxes";
const STATUSES = ["inbox", "archived", "spam", "trash"];

afterEach(async () => {
  vi.useRealTimers();
  await cutAt(servers.cutImap, null);
  await env.DB.prepare("DELETE FROM mailboxes").run();
});
beforeEach(async () => {
  await emptyService();
  await env.DB.prepare("DELETE FROM mailboxes").run();
});

type Body = Awaited<ReturnType<Client["get"]>>["body"];

interface Kind {
  kind: "rich" | "poor";
  imaps?: number;
}

/** A new user's mailbox at the server, with what `fill` puts there before it is connected. */
async function connectMailbox({ kind, imaps = servers[kind].imaps }: Kind, fill?: (user: string) => Promise<unknown>) {
  const { username, password } = newUser();
  const address = `${username}@mail.test`;
  // The poor server has no folder but the inbox.
  if (kind === "poor") for (const name of ["Archive", "Sent", "Trash"]) await create(username, name);
  await fill?.(username);
  const client = service();
  const { token } = await signedInPerson("owner");
  const as = { token };
  const { status, body, text } = await client.post(
    PATH,
    {
      ...{ address, password, name: "Ada" },
      imap: { host: "localhost", port: imaps, tls: "implicit" },
      smtp: { host: "localhost", port: servers.relay.submissions, tls: "implicit" },
    },
    as,
  );
  expect(status, text).toBe(201);
  expect(body.status, text).toBe("connected");
  const path = `${PATH}/${body.id}`;
  const sync = (full = false) => client.post(`${path}/sync${full ? "?full=true" : ""}`, undefined, as);
  const emails = async (query = ""): Promise<Body[]> => {
    const pages: Body[] = [];
    for (const status of STATUSES) {
      let next = `/api/emails?limit=100&status=${status}${query}`;
      while (next) {
        const page = await client.get(next, as);
        expect(page.status, page.text).toBe(200);
        pages.push(...page.body.data);
        const cursor = page.body.nextCursor;
        next = cursor ? `/api/emails?limit=100&status=${status}${query}&cursor=${encodeURIComponent(cursor)}` : "";
      }
    }
    return pages;
  };
  return {
    ...{ id: body.id, client, as, kind, username, address, sync, emails },
    get: async () => (await client.get(path, as)).body,
    /** Until nothing waits and nothing moves. */
    async settle() {
      for (let round = 0; round < 50; round += 1) {
        const answer = await sync();
        expect(answer.status, answer.text).toBe(200);
        const { waiting, created, flagsIn, flagsOut, movesIn, movesOut } = answer.body;
        if (waiting + created + flagsIn + flagsOut + movesIn + movesOut === 0) return;
      }
      expect.unreachable("the mailbox is never settled");
    },
    async change(subject: string, changes: object) {
      const [email] = (await emails()).filter((each) => each.subject === subject);
      const answer = await client.patch(`/api/emails/${email?.id}`, changes, as);
      expect(answer.status, answer.text).toBe(200);
    },
    async states() {
      return (await emails())
        .map((each) => `${each.subject} ${each.status}${each.isRead ? " read" : ""}${each.isStarred ? " star" : ""}`)
        .toSorted();
    },
    /** What another program sees: `subject`s with their flags, by folder. */
    there: (folder: string) => inFolder(kind, username, folder),
    /** Another program does this. `USER` stands for the name. */
    other: (args: string[], query: string[]) =>
      doveadm(kind, [...args.map((arg) => (arg === "USER" ? username : arg)), ...query]),
  };
}

const create = (user: string, name: string) => doveadm("poor", ["mailbox", "create", "-u", user, name]);

async function inFolder(kind: "rich" | "poor", user: string, folder: string): Promise<string[]> {
  const listed = await doveadm(kind, ["-f", "tab", "fetch", "-u", user, "hdr.subject flags", "mailbox", folder]);
  return (
    listed
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t"))
      // A server without UIDPLUS keeps the originals of what was moved, marked.
      .filter(([, flags]) => !flags?.includes("\\Deleted"))
      .map(([subject, flags]) => {
        const seen = flags?.includes("\\Seen") ? " read" : "";
        return `${subject}${seen}${flags?.includes("\\Flagged") ? " star" : ""}`;
      })
      .toSorted()
  );
}

const byUid = (uid: number) => ["mailbox", "INBOX", "uid", String(uid)];

async function sessionOf<Result>(
  { kind, username }: { kind: "rich" | "poor"; username: string },
  use: (session: ImapSession) => Promise<Result>,
): Promise<Result> {
  const auth = { kind: "password" as const, username, password: servers.password };
  const session = await openImap(withTls(servers[kind].imaps), auth, { allowPrivateHosts: true });
  try {
    return await use(session);
  } finally {
    await session.logout();
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);
const soon = (ms: number) => vi.useFakeTimers({ now: Date.now() + ms, toFake: ["Date"] });

describe.each([{ kind: "rich" as const }, { kind: "poor" as const }])("a mailbox at a $kind server", ({ kind }) => {
  it("is read: its history as past emails, and new mail as a full arrival", async () => {
    const box = await connectMailbox({ kind }, (username) =>
      sessionOf({ kind, username }, async (session) => {
        for (let day = 1; day <= 12; day += 1) {
          const text = bytes(mail({ subject: `day ${day}` }));
          await session.append("INBOX", text, { seen: day > 3 }, new Date(daysAgo(day)));
        }
        await session.append("INBOX", bytes(mail({ subject: "old" })), { seen: false }, new Date(daysAgo(60)));
        await session.append("Archive", bytes(mail({ subject: "filed" })), { seen: true }, new Date(daysAgo(2)));
        await session.append("Trash", bytes(mail({ subject: "thrown" })), { seen: true }, new Date(daysAgo(2)));
        const own = bytes(mail({ subject: "sent", from: `${username}@mail.test`, to: "ben@example.com" }));
        await session.append("Sent", own, { seen: true }, new Date(daysAgo(2)));
      }),
    );
    await box.settle();
    const emails = await box.emails();
    expect(emails).toHaveLength(14);
    expect(emails.filter(({ isRead }) => !isRead)).toHaveLength(3);
    expect(emails.filter(({ direction }) => direction === "outbound").map(({ subject }) => subject)).toEqual(["sent"]);
    expect(emails.find(({ subject }) => subject === "filed").status).toBe("archived");
    expect((await box.client.get("/api/tasks", box.as)).body.data).toEqual([]);
    expect((await box.get()).walk).toBeNull();

    await deliver(kind, box.username, mail({ subject: "Contract" }));
    await runCron();
    const [email] = await box.emails("&q=subject:Contract");
    expect(email).toMatchObject({ status: "inbox", isRead: false, source: "inbound" });
    expect(email.analysis).not.toBeNull();
    expect((await box.client.get("/api/tasks", box.as)).body.data).toHaveLength(1);
    const { body } = await box.client.get(`/api/emails?mailboxId=${box.id}&q=subject:Contract`, box.as);
    expect(body.data).toHaveLength(1);
    // A run that finds nothing to do says so.
    expect((await box.sync()).body).toMatchObject({
      status: "succeeded",
      fetched: 0,
      created: 0,
      flagsIn: 0,
      movesIn: 0,
    });
  });

  it("is in step with another program: read, star, archive, trash, and gone", async () => {
    const box = await connectMailbox({ kind });
    await box.sync();
    for (const subject of ["a", "b", "c", "d", "e", "f"]) await deliver(kind, box.username, mail({ subject }));
    await box.settle();
    expect(await box.states()).toHaveLength(6);
    await box.other(["flags", "add", "-u", "USER", "\\Seen \\Flagged"], byUid(1));
    await box.other(["move", "-u", "USER", "Archive"], byUid(2));
    await box.other(["move", "-u", "USER", "Trash"], byUid(3));
    await box.other(["expunge", "-u", "USER"], byUid(4));
    await box.settle();
    expect(await box.states()).toEqual([
      "a inbox read star",
      "b archived",
      "c trash",
      "d archived",
      "e inbox",
      "f inbox",
    ]);

    await box.other(["flags", "remove", "-u", "USER", "\\Seen"], byUid(1));
    await box.other(["move", "-u", "USER", "INBOX"], ["mailbox", "Archive", "all"]);
    await box.settle();
    expect(await box.states()).toEqual(["a inbox star", "b inbox", "c trash", "d archived", "e inbox", "f inbox"]);

    await box.change("a", { isRead: true, isStarred: false });
    await box.change("e", { status: "archived", isStarred: true });
    await box.change("f", { status: "trash", isRead: true });
    await box.change("c", { status: "inbox" });
    await box.settle();
    expect(await box.there("INBOX")).toEqual(["a read", "b", "c"]);
    expect(await box.there("Archive")).toEqual(["e star"]);
    expect(await box.there("Trash")).toEqual(["f read"]);
    await box.settle();
    expect(await box.states()).toEqual([
      ...["a inbox read", "b inbox", "c inbox", "d archived", "e archived star", "f trash read"],
    ]);
  });

  it("sends through its own server, with one copy among the sent ones", async () => {
    const box = await connectMailbox({ kind });
    await box.sync();
    const ben = `ben-${crypto.randomUUID().slice(0, 8)}@outside.test`;
    await deliver(kind, box.username, mail({ subject: "Question", from: `Ben <${ben}>`, to: box.address }));
    await box.settle();
    const [email] = await box.emails();
    const sent = await box.client.post(`/api/emails/${email.id}/reply`, { body: "Yes.\n.\nÄ" }, box.as);
    expect(sent.status, sent.text).toBe(201);
    expect(sent.body).toMatchObject({ delivery: "sent", from: { email: box.address, name: "Ada" } });
    const [left, ...others] = await sentTo(ben);
    expect(others).toEqual([]);
    expect(left).toMatchObject({ from: box.address, to: [ben] });
    await box.settle();
    soon(2 * 60_000);
    await box.settle();
    await box.settle();
    expect(await box.there("Sent")).toEqual(["Re: Question read"]);
    expect((await box.emails()).filter(({ direction }) => direction === "outbound")).toHaveLength(1);
    // The copy is what left.
    const copy = await doveadm(kind, ["fetch", "-u", box.username, "text", "mailbox", "Sent"]);
    expect(copy).toContain(sent.body.messageId);
    expect(copy.replaceAll("\r", "")).toContain(new TextDecoder().decode(left?.content).replaceAll("\r", "").trim());
  });

  it("sends nothing if a recipient is refused", async () => {
    const box = await connectMailbox({ kind });
    await box.sync();
    const good = `good-${crypto.randomUUID().slice(0, 8)}@outside.test`;
    await deliver(kind, box.username, mail({ subject: "Question", from: `Ben <${good}>`, to: box.address }));
    await box.settle();
    const [email] = await box.emails();
    const reply = { body: "Hi", cc: "nobody@outside.test" };
    const answer = await box.client.post(`/api/emails/${email.id}/reply`, reply, box.as);
    expectProblem(answer, 502, "provider_error");
    expect(answer.text).toContain("No such user");
    expect(await sentTo(good)).toEqual([]);
    soon(2 * 60_000);
    await box.settle();
    expect(await box.there("Sent")).toEqual([]);
  });
});

describe("a folder", () => {
  it("that its server has made anew is recognized: nothing is read or stored again, also without Message-IDs", async () => {
    const box = await connectMailbox({ kind: "rich" }, (username) =>
      sessionOf({ kind: "rich", username }, async (session) => {
        for (let index = 0; index < 20; index += 1) {
          const text = bytes(mail({ subject: `m${index}`, id: index % 2 ? "none" : "" }));
          await session.append("INBOX", text, { seen: false }, new Date(daysAgo(1 + index)));
        }
      }),
    );
    await box.settle();
    expect(await box.emails()).toHaveLength(20);
    const before = await sessionOf(box, (session) => session.select("INBOX"));
    const renewed = ["mailbox", "update", "-u", "USER", "--uid-validity", String(before.uidValidity + 7)];
    await box.other(renewed, ["INBOX"]);
    const after = await sessionOf(box, (session) => session.select("INBOX"));
    expect(after.uidValidity).not.toBe(before.uidValidity);
    const { body } = await box.sync();
    expect(body).toMatchObject({ status: "succeeded", fetched: 0, created: 0 });
    await box.settle();
    expect((await box.states()).every((each) => each.endsWith(" inbox"))).toBe(true);
    expect(await box.emails()).toHaveLength(20);
  });

  it("that is suddenly empty changes nothing before the owner says so", async () => {
    const box = await connectMailbox({ kind: "rich" }, async (username) => {
      for (let index = 0; index < 30; index += 1) await deliver("rich", username, mail({ subject: `m${index}` }));
    });
    await box.settle();
    await box.other(["expunge", "-u", "USER"], ["mailbox", "INBOX", "all"]);
    expectProblem(await box.sync(), 409, "conflict");
    expect(await box.get()).toMatchObject({ status: "stopped", nextTryAt: null });
    expect((await box.emails()).filter(({ status }) => status === "inbox")).toHaveLength(30);
    expect((await box.sync(true)).status).toBe(200);
    expect((await box.emails()).filter(({ status }) => status === "archived")).toHaveLength(30);
  });
});

const TEXT = "Please send me the signed contract by Friday.";

/** A message of about so many bytes, with an attachment that has them. */
function large(subject: string, size: number): Uint8Array {
  const line = `${btoa("x".repeat(57))}\r\n`;
  const head =
    `Message-ID: <${crypto.randomUUID()}@example.com>\r\nFrom: Ben <ben@example.com>\r\nTo: ada@mail.test\r\nSubject: ${subject}\r\n` +
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n' +
    `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${TEXT}\r\n` +
    "--b\r\nContent-Type: application/octet-stream; name=film.bin\r\nContent-Disposition: attachment; filename=film.bin\r\n" +
    "Content-Transfer-Encoding: base64\r\n\r\n";
  return bytes(`${head}${line.repeat(Math.ceil(size / line.length))}--b--\r\n`);
}

describe.each([{ kind: "rich" as const }, { kind: "poor" as const }])(
  "large messages at a $kind server",
  ({ kind }) => {
    it("arrive whole, with their attachments", async () => {
      const box = await connectMailbox({ kind });
      await box.sync();
      const message = large("film", 10_000_000);
      await sessionOf(box, (session) => session.append("INBOX", message, { seen: false }, new Date()));
      await deliver(kind, box.username, mail({ subject: "small" }));
      await box.settle();
      expect(await box.states()).toEqual(["film inbox", "small inbox"]);
      const { id } = (await box.emails()).find(({ subject }) => subject === "film");
      const { body } = await box.client.get(`/api/emails/${id}`, box.as);
      expect(body.body).toContain(TEXT);
      const lines = Math.ceil(10_000_000 / 78);
      expect(body.attachments).toMatchObject([{ name: "film.bin", size: lines * 57 }]);
      const raw = await box.client.get(`/api/emails/${id}/raw`, box.as);
      expect(raw.bytes).toEqual(message);
      expect((await box.sync()).body).toMatchObject({ status: "succeeded", fetched: 0 });
    });

    it("that are larger than any email here are named once, and stop nothing", async () => {
      const box = await connectMailbox({ kind });
      await box.sync();
      await sessionOf(box, async (session) => {
        await session.append("INBOX", large("too large", 28_000_000), { seen: false }, new Date());
      });
      await deliver(kind, box.username, mail({ subject: "small" }));
      const { body } = await box.sync();
      expect(body).toMatchObject({ status: "partial", skipped: 1, created: 1, waiting: 0 });
      expect(body.errors).toEqual([expect.stringMatching(/has 26\.7 MB and was not read: 26\.0 MB is the most/)]);
      expect((await box.sync()).body).toMatchObject({ status: "succeeded", skipped: 0, fetched: 0 });
      expect((await box.sync(true)).body).toMatchObject({ status: "succeeded", skipped: 0, fetched: 0 });
      expect(await box.states()).toEqual(["small inbox"]);
    });
  },
);

describe("a connection that is cut again and again", () => {
  it("leaves one copy of a sent email, with its attachment, wherever the copying is cut", async () => {
    const box = await connectMailbox({ kind: "rich", imaps: servers.cutImap });
    await box.sync();
    const ben = `ben-${crypto.randomUUID().slice(0, 8)}@outside.test`;
    await deliver("rich", box.username, mail({ subject: "Question", from: `Ben <${ben}>`, to: box.address }));
    await box.settle();
    const [email] = await box.emails();
    const film = large("film", 8_000_000);
    const upload = { raw: film, headers: { "content-type": "application/octet-stream" }, ...box.as };
    const file = await box.client.call("POST", "/api/emails/attachments?name=film.bin", upload);
    expect(file.status, file.text).toBe(201);
    const reply = { body: "Here it is.", attachmentIds: [file.body.id] };
    const sent = await box.client.post(`/api/emails/${email.id}/reply`, reply, box.as);
    expect(sent.status, sent.text).toBe(201);
    const [left, ...others] = await sentTo(ben);
    expect(others).toEqual([]);
    const text = new TextDecoder().decode(left?.content);
    const encoded = text.split(/\r\n\r\n/).find((part) => part.length > 1_000_000);
    expect(atob(encoded?.split("\r\n--")[0]?.replaceAll("\r\n", "") ?? "")).toBe(
      new TextDecoder("latin1").decode(film),
    );
    soon(2 * 60_000);
    const outcomes: number[] = [];
    for (const min of [10_000, 6_000_000, 10_000_000]) {
      await cutAt(servers.cutImap, { side: "client", min, max: min });
      outcomes.push((await box.sync()).status);
    }
    // Also where the server has it, and its answer is lost.
    for (let after = 1200; after <= 4000; after += 200) {
      await cutAt(servers.cutImap, { side: "server", min: after, max: after });
      outcomes.push((await box.sync()).status);
    }
    expect(outcomes.slice(0, 3)).toEqual([502, 502, 502]);
    await cutAt(servers.cutImap, null);
    await box.settle();
    expect(await box.there("Sent")).toEqual(["Re: Question read"]);
    expect(await sentTo(ben)).toHaveLength(1);
    expect((await box.emails()).filter(({ direction }) => direction === "outbound")).toHaveLength(1);
  });

  it("brings a large message once, and never a part of it", async () => {
    const box = await connectMailbox({ kind: "rich", imaps: servers.cutImap });
    await box.sync();
    const message = large("film", 5_000_000);
    await sessionOf(box, (session) => session.append("INBOX", message, { seen: false }, new Date()));
    for (const after of [300_000, 2_000_000, 4_900_000]) {
      await cutAt(servers.cutImap, { side: "server", min: after, max: after });
      expectProblem(await box.sync(), 502, "provider_error");
      expect(await box.emails()).toEqual([]);
    }
    await cutAt(servers.cutImap, null);
    await box.settle();
    const [email, ...others] = await box.emails();
    expect(others).toEqual([]);
    expect((await box.client.get(`/api/emails/${email.id}/raw`, box.as)).bytes).toEqual(message);
  });

  it("leaves nothing out and nothing twice of 300 messages", async () => {
    const box = await connectMailbox({ kind: "rich", imaps: servers.cutImap }, async (username) => {
      await sessionOf({ kind: "rich", username }, async (session) => {
        for (let index = 0; index < 300; index += 1) {
          const text = bytes(mail({ subject: `m${index}`, text: "x".repeat(index % 50 === 0 ? 20_000 : 500) }));
          await session.append("INBOX", text, { seen: index % 2 === 0 }, new Date(daysAgo(1 + (index % 20))));
        }
      });
    });
    await cutAt(servers.cutImap, { side: "server", min: 4_000, max: 150_000 });
    const outcomes = { done: 0, partial: 0, refused: 0 };
    for (let round = 0; round < 150; round += 1) {
      const { status, body } = await box.sync();
      if (status === 200) outcomes[body.status === "succeeded" ? "done" : "partial"] += 1;
      else {
        expect([body.code, status]).toEqual(["provider_error", 502]);
        outcomes.refused += 1;
      }
      if (status === 200 && body.status === "succeeded" && (await box.get()).walk === null) break;
    }
    console.info("runs over cut connections", outcomes);
    expect(outcomes.partial + outcomes.refused).toBeGreaterThan(2);
    const emails = await box.emails();
    expect(emails).toHaveLength(300);
    expect(new Set(emails.map(({ subject }) => subject)).size).toBe(300);
    expect(emails.filter(({ isRead }) => isRead)).toHaveLength(150);
    // Changes of both sides, over the same connection.
    for (const index of [1, 2, 3]) await box.change(`m${index}`, { status: "archived" });
    for (const index of [4, 5, 6]) await box.change(`m${index}`, { isStarred: true });
    await box.other(["move", "-u", "USER", "Trash"], ["mailbox", "INBOX", "uid", "11:13"]);
    for (let round = 0; round < 30; round += 1) await box.sync();
    await cutAt(servers.cutImap, null);
    await box.settle();
    expect(await box.emails()).toHaveLength(300);
    expect(await box.there("Archive")).toEqual(["m1", "m2 read", "m3"]);
    expect(await box.there("Trash")).toEqual(["m10 read", "m11", "m12 read"]);
    const inbox = await box.there("INBOX");
    expect(inbox).toHaveLength(294);
    expect(inbox.filter((each) => each.includes("star"))).toEqual(["m4 read star", "m5 star", "m6 read star"]);
    expect((await box.states()).filter((each) => !each.includes("inbox"))).toEqual([
      ...["m1 archived", "m10 trash read", "m11 trash", "m12 trash read", "m2 archived read", "m3 archived"],
    ]);
  });
});
