import { describe, expect, it } from "vitest";
import { openImap } from "../../src/providers/mailbox/client.ts";
import { messageDigest } from "../../src/providers/mailbox/imap/digest.ts";
import type { ImapSession, MailboxAuth, ServerAddress } from "../../src/providers/mailbox/types.ts";
import { cutAt, deliver, doveadm, newUser, servers, withStartTls, withTls } from "./control.ts";

const LOCAL = { allowPrivateHosts: true };
const NOON = new Date("2026-11-05T12:00:00Z");

async function sessionOf<Result>(
  server: ServerAddress,
  auth: MailboxAuth,
  use: (session: ImapSession) => Promise<Result>,
): Promise<Result> {
  const session = await openImap(server, auth, LOCAL);
  try {
    return await use(session);
  } finally {
    await session.logout();
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);
const message = (id: string, body = "Hello") =>
  `Message-ID: <${id}@mail.test>\r\nFrom: ada@mail.test\r\nSubject: ${id}\r\nDate: Thu, 5 Nov 2026 12:00:00 +0000\r\n\r\n${body}\r\n`;

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<{ all: Uint8Array; largest: number }> {
  const list: Uint8Array[] = [];
  for await (const piece of pieces) list.push(piece);
  const all = new Uint8Array(list.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of list) {
    all.set(piece, at);
    at += piece.length;
  }
  return { all, largest: Math.max(0, ...list.map(({ length }) => length)) };
}

/** Every byte there is, but no line break that a server would change. */
function noise(size: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size);
  let state = 7;
  for (let at = 0; at < size; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const byte = (state >> 16) & 255;
    out[at] = at % 76 === 74 ? 13 : at % 76 === 75 ? 10 : byte < 32 ? 65 + byte : byte;
  }
  return out;
}

describe.each([
  { name: "a rich server", kind: "rich" as const, server: withTls(servers.rich.imaps) },
  { name: "a poor server", kind: "poor" as const, server: withTls(servers.poor.imaps) },
  { name: "a server with STARTTLS", kind: "rich" as const, server: withStartTls(servers.rich.imap) },
])("$name", ({ kind, server }) => {
  const isPoor = kind === "poor";

  it("lists folders with roles and decoded names, and creates them", async () => {
    await sessionOf(server, newUser(), async (session) => {
      expect(session.capabilities.has("MOVE")).toBe(!isPoor);
      for (const path of ["Archive", "Gesendet", "Täglich & 日本 \u{1f4e8}", 'a "b" \\c']) {
        const raw = await session.create(path);
        expect(await session.create(path)).toBe(raw);
        const found = (await session.folders()).filter((folder) => folder.raw === raw);
        expect(found).toMatchObject([{ path, delimiter: "/", selectable: true }]);
        expect(await session.select(raw)).toMatchObject({ exists: 0, uidNext: 1, readOnly: false });
      }
      const roles = (await session.folders()).flatMap(({ path, role }) => (role ? [[role, path]] : []));
      expect(Object.fromEntries(roles)).toMatchObject({
        inbox: "INBOX",
        archive: "Archive",
        sent: isPoor ? "Gesendet" : "Sent",
      });
    });
  });

  it("appends, lists, reads and finds messages", async () => {
    const user = newUser();
    await sessionOf(server, user, async (session) => {
      const given = await session.append("INBOX", bytes(message("one")), { seen: true }, NOON);
      expect(given).toBe(1);
      await session.append("INBOX", bytes("Subject: no id\n\nBare line feeds\n"), { seen: false }, NOON);
      const selected = await session.select("INBOX");
      expect(selected).toMatchObject({ exists: 2, uidNext: 3, vanished: null, changed: null });
      expect(selected.modSeq === null).toBe(isPoor);
      expect(await session.uids(1)).toEqual([1, 2]);
      expect(await session.uids(3)).toEqual([]);
      expect(await session.uids(2, 9)).toEqual([2]);
      expect(await session.uids(5, 4)).toEqual([]);
      expect(await session.uidsSince(NOON)).toEqual([1, 2]);
      expect(await session.uidsSince(new Date("2026-11-08"))).toEqual([]);
      expect(await session.findByMessageId("<one@mail.test>")).toEqual([1]);
      expect(await session.findByMessageId("<ünicode@mail.test>")).toEqual([]);
      expect(await session.findByMessageId('<x"\\@mail.test>')).toEqual([]);
      const heads = await session.heads([1, 2, 9]);
      const stored = message("one");
      expect(heads).toMatchObject([
        { uid: 1, seen: true, flagged: false, size: stored.length, internalDate: NOON.getTime() },
        { uid: 2, seen: false, messageId: null },
      ]);
      expect(heads[0]?.messageId).toBe("<one@mail.test>");
      for (const head of heads) {
        const whole = (await session.whole(head.uid, 1000)) ?? new Uint8Array();
        expect(whole.length).toBe(head.size);
        expect(head.digest).toBe(messageDigest(whole, head.size));
      }
      expect(new TextDecoder().decode((await session.whole(2, 1000)) ?? undefined)).toBe(
        "Subject: no id\r\n\r\nBare line feeds\r\n",
      );
      expect(await session.whole(9, 1000)).toBeNull();
      await expect(session.whole(1, 20)).rejects.toThrow(RangeError);
      expect(await session.structure(9)).toBeNull();
      expect(await session.structure(1)).toMatchObject({ section: "1", type: "text/plain", parts: [] });
    });
  });

  it("sets flags and moves messages, and nothing else", async () => {
    const user = newUser();
    await sessionOf(server, user, async (session) => {
      for (const id of ["a", "b", "c", "d"]) {
        await session.append("INBOX", bytes(message(id)), { seen: false }, NOON);
      }
      await session.select("INBOX");
      await session.setFlags([1, 3, 99], { seen: true, flagged: true });
      await session.setFlags([3], { seen: false });
      // Another program has marked it: what it wants is its own affair.
      await doveadm(kind, ["flags", "add", "-u", user.username, "\\Deleted", "mailbox", "INBOX", "uid", "4"]);
      expect(await session.flags([1, 2, 3, 99])).toMatchObject([
        { uid: 1, seen: true, flagged: true },
        { uid: 2, seen: false, flagged: false },
        { uid: 3, seen: false, flagged: true },
      ]);
      const raw = await session.create("Ärchiv");
      const moved = await session.move([1, 3, 99], raw);
      // Dovecot tells also where it does not say so.
      expect(moved).toEqual(
        new Map([
          [1, 1],
          [3, 2],
        ]),
      );
      const left = await session.flags({ from: 1 });
      expect(left.filter(({ deleted }) => !deleted).map(({ uid }) => uid)).toEqual([2]);
      expect(left.map(({ uid }) => uid)).toEqual(isPoor ? [1, 2, 3, 4] : [2, 4]);
      await session.select(raw);
      expect(await session.heads(await session.uids(1))).toMatchObject([
        { messageId: "<a@mail.test>", seen: true, flagged: true },
        { messageId: "<c@mail.test>", seen: false, flagged: true },
      ]);
      await expect(session.move([1], "No such folder")).rejects.toMatchObject({ code: "mailbox_broken", step: "move" });
      await expect(session.select("No such folder")).rejects.toMatchObject({ step: "select" });
    });
  });

  it("reads a message of 10 MB whole and by parts, byte by byte as it is", async () => {
    const user = newUser();
    const content = noise(10_000_000);
    const head = bytes(
      'Content-Type: multipart/mixed; boundary="b"\r\nMIME-Version: 1.0\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHi\r\n' +
        '--b\r\nContent-Type: application/pdf; name*0="a long"; name*1=" name.pdf"\r\nContent-Disposition: attachment; filename*=utf-8\'\'%C3%84.pdf\r\n' +
        "Content-Transfer-Encoding: 8bit\r\n\r\n",
    );
    const tail = bytes("\r\n--b--\r\n");
    const all = new Uint8Array(head.length + content.length + tail.length);
    all.set(head);
    all.set(content, head.length);
    all.set(tail, head.length + content.length);
    await sessionOf(server, user, async (session) => {
      await session.append("INBOX", all, { seen: false }, NOON);
      await session.select("INBOX");
      expect(await session.whole(1, 32_000_000)).toEqual(all);
      const structure = await session.structure(1);
      expect(structure).toMatchObject({
        section: "",
        type: "multipart/mixed",
        parameters: { boundary: "b" },
        parts: [
          { section: "1", type: "text/plain", size: 2, disposition: null },
          {
            section: "2",
            type: "application/pdf",
            encoding: "8bit",
            size: content.length,
            disposition: "attachment",
            fileName: "Ä.pdf",
            parameters: { name: "a long name.pdf" },
          },
        ],
      });
      const part = await joined(session.part(1, "2"));
      expect(part.all).toEqual(content);
      expect(part.largest).toBeLessThanOrEqual(256 * 1024);
      expect((await joined(session.part(1, ""))).all).toEqual(all);
      expect(new TextDecoder().decode((await joined(session.part(1, "2.MIME"))).all)).toContain("application/pdf");
      expect((await joined(session.part(1, "7"))).all.length).toBe(0);
      await expect(joined(session.part(9, "1"))).rejects.toMatchObject({ code: "mailbox_broken", step: "fetch" });
      await expect(joined(session.part(1, "1]\r\nA9 LOGOUT"))).rejects.toThrow(RangeError);
    });
  });

  it("takes a message of 24 MB", async () => {
    const content = noise(24_000_000 - 20);
    content.set(bytes("Subject: large\r\n\r\n"));
    await sessionOf(server, newUser(), async (session) => {
      await session.append("INBOX", content, { seen: false }, NOON);
      await session.select("INBOX");
      const [head] = await session.heads([1]);
      const { all, largest } = await joined(session.part(1, ""));
      expect(all.length).toBe(head?.size);
      expect(all.subarray(0, content.length)).toEqual(content);
      expect(largest).toBeLessThanOrEqual(256 * 1024);
      expect((await session.whole(1, 32_000_000))?.length).toBe(head?.size);
    });
  });

  it("refuses a wrong password with the server's reason, and no word of it", async () => {
    const wrong = { ...newUser(), password: 'not-the-password "\\ \u00e4' };
    const error = await openImap(server, wrong, LOCAL).catch((caught) => caught);
    expect(error).toMatchObject({ code: "mailbox_auth_failed", step: "login" });
    expect(JSON.stringify([error.reason, error.message, error.stack])).not.toContain("not-the-password");
  });
});

describe("QRESYNC and CONDSTORE", () => {
  it("tell what changed and what vanished since", async () => {
    const user = newUser();
    for (const id of ["a", "b", "c", "d"]) await deliver("rich", user.username, message(id));
    const server = withTls(servers.rich.imaps);
    const before = await sessionOf(server, user, (session) => session.select("INBOX"));
    await doveadm("rich", ["expunge", "-u", user.username, "mailbox", "INBOX", "uid", "2:3"]);
    await doveadm("rich", ["flags", "add", "-u", user.username, "\\Flagged", "mailbox", "INBOX", "uid", "4"]);
    await sessionOf(server, user, async (session) => {
      const after = await session.select("INBOX", before);
      expect(after).toMatchObject({ exists: 2, vanished: [2, 3], uidValidity: before.uidValidity });
      expect(after.changed).toMatchObject([{ uid: 4, flagged: true, seen: false }]);
      const changedSince = before.modSeq ?? "";
      expect(await session.flags({ from: 1, changedSince })).toMatchObject([{ uid: 4, flagged: true }]);
      expect(await session.flags({ from: 1, to: 3 })).toMatchObject([{ uid: 1 }]);
      expect(await session.select("INBOX", after)).toMatchObject({ vanished: [], changed: [] });
      expect(await session.select("INBOX", { ...after, uidValidity: 5 })).toMatchObject({
        vanished: null,
        changed: null,
      });
    });
  });
});

describe("what can be wrong", () => {
  const user = newUser();
  const failure = (server: ServerAddress, options = LOCAL) =>
    openImap(server, user, options).then(
      () => "connected",
      (error) => error,
    );

  it("is told apart: certificate, name, port, protocol", async () => {
    expect(await failure(withTls(servers.untrusted))).toMatchObject({ code: "mailbox_tls_failed", step: "tls" });
    // Its certificate is for localhost.
    const other = await failure({ ...withTls(servers.rich.imaps), host: "127.0.0.1" });
    expect(other).toMatchObject({ code: "mailbox_tls_failed", step: "tls" });
    const otherStartTls = await failure({ ...withStartTls(servers.rich.imap), host: "127.0.0.1" });
    expect(otherStartTls).toMatchObject({ code: "mailbox_tls_failed", step: "tls" });
    expect(await failure(withTls(servers.rich.imap))).toMatchObject({ code: "mailbox_tls_failed", step: "tls" });
    expect(await failure(withTls(9))).toMatchObject({ code: "mailbox_unreachable", step: "connect" });
    expect(await failure({ ...withTls(993), host: "no-such-server.invalid" })).toMatchObject({
      code: "mailbox_unreachable",
      step: "connect",
    });
    const production = { allowPrivateHosts: false };
    expect(await failure(withTls(servers.rich.imaps), production)).toMatchObject({ step: "address" });
    expect(await failure(withTls(993), production)).toMatchObject({ code: "mailbox_unreachable", step: "address" });
  });

  it("with OAuth: a token that is not valid is refused, a valid one is taken", async () => {
    const auth = { kind: "oauth2" as const, username: user.username, accessToken: await tokenFor(user.username) };
    await sessionOf(withTls(servers.rich.imaps), auth, async (session) => {
      expect(await session.select("INBOX")).toMatchObject({ exists: 0 });
    });
    const wrong = { ...auth, accessToken: `${auth.accessToken}x` };
    await expect(openImap(withTls(servers.rich.imaps), wrong, LOCAL)).rejects.toMatchObject({
      code: "mailbox_auth_failed",
    });
    await expect(openImap(withTls(servers.poor.imaps), auth, LOCAL)).rejects.toMatchObject({
      code: "mailbox_auth_failed",
      reason: "The server takes no login with an access token.",
    });
  });

  it("too many connections are no wrong password", async () => {
    const crowd = newUser();
    const opened = await Promise.allSettled(
      Array.from({ length: 14 }, () => openImap(withTls(servers.rich.imaps), crowd, LOCAL)),
    );
    const sessions = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(sessions.length).toBeLessThan(14);
    expect(sessions.length).toBeGreaterThan(5);
    for (const each of opened) {
      if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "mailbox_busy", isTemporary: true });
    }
    await Promise.all(sessions.map((session) => session.logout()));
  });

  it("cut connections: every message is read whole in the end, none twice", async () => {
    const server = withTls(servers.cutImap);
    for (let at = 0; at < 40; at++) await deliver("rich", user.username, message(`m${at}`, "x".repeat(at * 400)));
    const read = new Map<number, number>();
    await cutAt(servers.cutImap, { side: "server", min: 1000, max: 60_000 });
    let cuts = 0;
    for (let run = 0; run < 200 && read.size < 40; run++) {
      let session: ImapSession | null = null;
      try {
        session = await openImap(server, user, LOCAL);
        await session.select("INBOX");
        for (const uid of await session.uids(Math.max(0, ...read.keys()) + 1)) {
          const whole = await session.whole(uid, 100_000);
          read.set(uid, whole?.length ?? -1);
        }
      } catch (error) {
        expect(error).toMatchObject({
          name: "MailboxError",
          code: expect.stringMatching(/^mailbox_(broken|tls_failed|unreachable)$/),
        });
        cuts += 1;
      }
      await session?.logout();
    }
    await cutAt(servers.cutImap, null);
    expect(cuts).toBeGreaterThan(2);
    expect(read.size).toBe(40);
    await sessionOf(withTls(servers.rich.imaps), user, async (session) => {
      await session.select("INBOX");
      const heads = await session.heads(await session.uids(1));
      expect(new Map(heads.map(({ uid, size }) => [uid, size]))).toEqual(read);
    });
  });

  it("silence ends after a while, whenever it begins", async () => {
    for (const bytesBefore of [0, 2000, 4000]) {
      await cutAt(servers.cutImap, { side: "server", min: bytesBefore, max: bytesBefore, isSilent: true });
      const silent = openImap(withTls(servers.cutImap), user, { ...LOCAL, silenceMs: 300 }).then(async (session) => {
        await session.select("INBOX");
        await session.heads(await session.uids(1));
        return "done";
      });
      await expect(silent).rejects.toMatchObject({ name: "MailboxError" });
    }
    await cutAt(servers.cutImap, null);
  });
});

async function tokenFor(sub: string): Promise<string> {
  const encode = (value: object) =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub, iat: now - 10, exp: now + 3600, iss: "tests" };
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(servers.tokenKey), algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(signed)));
  const text = btoa(String.fromCharCode(...signature))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  return `${signed}.${text}`;
}
