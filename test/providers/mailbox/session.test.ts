import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startImap } from "../../../src/providers/mailbox/imap/session.ts";
import type { ImapSession, MailboxAuth, ServerAddress } from "../../../src/providers/mailbox/types.ts";
import { bytes, imapServer, type Said, ScriptedServer } from "./scripted.ts";

const IMPLICIT: ServerAddress = { host: "mail.test", port: 993, tls: "implicit" };
const STARTTLS: ServerAddress = { ...IMPLICIT, tls: "starttls" };
const AUTH: MailboxAuth = { kind: "password", username: "ada", password: "geheim" };

interface Options {
  auth?: MailboxAuth;
  address?: ServerAddress;
  silenceMs?: number;
}

const connect = (server: ScriptedServer, { auth = AUTH, address = IMPLICIT, silenceMs = 5000 }: Options = {}) =>
  startImap(server.connection(silenceMs), address, auth);

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error) => error,
  );

/** After the login, which every test has. */
async function session(answers: (command: string) => Said | null | undefined, capabilities = "IMAP4rev1") {
  const server = imapServer((command) =>
    command === "CAPABILITY" ? `* CAPABILITY ${capabilities}\r\nTAG OK\r\n` : answers(command),
  );
  return { server, session: await connect(server) };
}

describe("a login", () => {
  it("uses what the server offers: LOGIN, or PLAIN at once or when asked", async () => {
    const plain = imapServer(() => undefined);
    await connect(plain);
    expect(plain.received).toContain('A1 LOGIN "ada" "geheim"\r\n');

    const atOnce = imapServer(() => undefined, { greeting: "* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] hi\r\n" });
    await connect(atOnce);
    expect(atOnce.received).toContain("A1 AUTHENTICATE PLAIN AGFkYQBnZWhlaW0=\r\n");

    const asked = new ScriptedServer();
    const connected = connect(asked);
    await asked.say("* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] hi\r\n");
    await asked.hears(/A1 AUTHENTICATE PLAIN\r\n/);
    await asked.say("+ \r\n");
    await asked.hears(/\nAGFkYQBnZWhlaW0=\r\n/);
    await asked.say("A1 OK [CAPABILITY IMAP4rev1 MOVE] in\r\n");
    expect((await connected).capabilities).toEqual(new Set(["IMAP4REV1", "MOVE"]));
  });

  it("sends a password with quotes, line breaks or umlauts as a literal, which no command can leave", async () => {
    const server = new ScriptedServer();
    const auth = { ...AUTH, password: 'a"\r\nA2 DELETE INBOX\r\n' };
    const connected = connect(server, { auth });
    await server.say("* OK [CAPABILITY IMAP4rev1] hi\r\n");
    await server.hears(/LOGIN "ada" \{21\}\r\n$/);
    await server.say("+ go on\r\n");
    await server.hears(/DELETE INBOX\r\n\r\n$/);
    await server.say('A1 NO [AUTHENTICATIONFAILED] a"  A2 DELETE INBOX is wrong\r\n');
    expect(await failureOf(connected)).toMatchObject({ code: "mailbox_auth_failed", step: "login" });
  });

  it("tells a wrong password from a busy server, and shows no secret that the server repeats", async () => {
    const refused = async (words: string) => {
      const server = imapServer((command) => (command.startsWith("LOGIN") ? `TAG NO ${words}\r\n` : undefined));
      const error = await failureOf(connect(server));
      expect(server.isClosed).toBe(true);
      expect(server.received.match(/LOGIN/g)).toHaveLength(1);
      return error;
    };
    expect(await refused("[AUTHENTICATIONFAILED] Wrong: geheim")).toMatchObject({
      code: "mailbox_auth_failed",
      reason: "Wrong: …",
    });
    expect(await refused("[ALERT] Application-specific password required")).toMatchObject({
      code: "mailbox_auth_failed",
    });
    expect(await refused("[ALERT] Too many simultaneous connections. (Failure)")).toMatchObject({
      code: "mailbox_busy",
    });
    expect(await refused("[UNAVAILABLE] Later")).toMatchObject({ code: "mailbox_busy", isTemporary: true });
    const greeted = imapServer(() => undefined, { greeting: "* BYE Too many connections\r\n" });
    expect(await failureOf(connect(greeted))).toMatchObject({ code: "mailbox_busy", step: "greeting" });
    const trusting = imapServer(() => undefined, { greeting: "* PREAUTH in already\r\n" });
    expect(await failureOf(connect(trusting))).toMatchObject({ code: "mailbox_broken", step: "greeting" });
    const disabled = imapServer(() => undefined, { greeting: "* OK [CAPABILITY IMAP4rev1 LOGINDISABLED] hi\r\n" });
    expect(await failureOf(connect(disabled))).toMatchObject({ code: "mailbox_auth_failed" });
    expect(disabled.received).toBe("");
  });

  it("with an access token answers the explanation of a refusal with an empty line", async () => {
    const server = new ScriptedServer();
    const auth: MailboxAuth = { kind: "oauth2", username: "ada", accessToken: "token" };
    const connected = connect(server, { auth });
    await server.say("* OK [CAPABILITY IMAP4rev1 AUTH=XOAUTH2 SASL-IR] hi\r\n");
    const [, sent = ""] = await server.hears(/AUTHENTICATE XOAUTH2 (\S+)\r\n/);
    expect(atob(sent)).toBe("user=ada\u0001auth=Bearer token\u0001\u0001");
    await server.say("+ eyJzdGF0dXMiOiI0MDAifQ==\r\n");
    await server.hears(/==\r\n\r\n$|\S\r\n\r\n$/);
    await server.say(`A1 NO [AUTHENTICATIONFAILED] ${sent} token\r\n`);
    expect(await failureOf(connected)).toMatchObject({ code: "mailbox_auth_failed", reason: "… …" });
  });

  it("says nothing before TLS, and takes nothing that came before it", async () => {
    const without = imapServer(() => undefined);
    expect(await failureOf(connect(without, { address: STARTTLS }))).toMatchObject({ code: "mailbox_tls_failed" });
    expect(without.received).not.toContain("geheim");

    const greeting = "* OK [CAPABILITY IMAP4rev1 STARTTLS] hi\r\n";
    const refusing = imapServer((command) => (command === "STARTTLS" ? "TAG NO not now\r\n" : undefined), { greeting });
    expect(await failureOf(connect(refusing, { address: STARTTLS }))).toMatchObject({ code: "mailbox_tls_failed" });

    const injecting = imapServer((command) => (command === "STARTTLS" ? "TAG OK\r\n* OK [CAPABILITY X" : undefined), {
      greeting,
    });
    expect(await failureOf(connect(injecting, { address: STARTTLS }))).toMatchObject({ code: "mailbox_broken" });
    expect(injecting.received).not.toContain("geheim");
  });
});

describe("a session", () => {
  it("filters what `n:*` brings along, and what nobody asked for", async () => {
    const { session: open } = await session((command) => {
      if (command.startsWith("UID SEARCH")) return "* SEARCH 4 9 9 7\r\n* SEARCH\r\nTAG OK\r\n";
      if (command.startsWith("UID FETCH"))
        return "* 1 FETCH (FLAGS (\\Seen))\r\n* 2 FETCH (UID 4 FLAGS ())\r\n* 3 FETCH (UID 9 FLAGS (\\Seen \\flagged))\r\n* 9 EXPUNGE\r\nTAG OK\r\n";
      return undefined;
    });
    expect(await open.uids(5)).toEqual([7, 9]);
    expect(await open.flags({ from: 5 })).toMatchObject([{ uid: 9, seen: true, flagged: true, deleted: false }]);
    expect(await open.flags([4])).toMatchObject([{ uid: 4, seen: false }]);
    expect(await open.flags([])).toEqual([]);
  });

  it("puts together what a server says of one message in several responses", async () => {
    const header = "Message-ID: <a@b>\r\n\r\n";
    const { session: open } = await session((command) =>
      command.startsWith("UID FETCH")
        ? `* 1 FETCH (UID 5 FLAGS (\\Seen) RFC822.SIZE 20)\r\n* 1 FETCH (UID 5 INTERNALDATE " 5-Nov-2026 13:00:00 +0100" BODY[HEADER.FIELDS ("MESSAGE-ID")] {${header.length}}\r\n${header})\r\nTAG OK\r\n`
        : undefined,
    );
    expect(await open.heads([5, 6])).toMatchObject([
      { uid: 5, seen: true, size: 20, messageId: "<a@b>", internalDate: Date.UTC(2026, 10, 5, 12) },
    ]);
  });

  it("needs a UIDVALIDITY, and does without the rest", async () => {
    const { session: open } = await session((command) => {
      if (command === 'SELECT "a"') return "* 3 EXISTS\r\n* OK [UIDVALIDITY 7] x\r\nTAG OK [READ-ONLY] ok\r\n";
      if (command === 'SELECT "b"') return "* 3 EXISTS\r\nTAG OK\r\n";
      return command === "UID SEARCH UID *" ? "* SEARCH 41\r\nTAG OK\r\n" : undefined;
    });
    expect(await open.select("a")).toEqual({
      ...{ uidValidity: 7, uidNext: 42, exists: 3, modSeq: null, readOnly: true },
      ...{ vanished: null, changed: null },
    });
    expect(await failureOf(open.select("b"))).toMatchObject({ code: "mailbox_broken", step: "select" });
  });

  it("does not count to four thousand million", async () => {
    const capabilities = "IMAP4rev1 QRESYNC CONDSTORE ENABLE ESEARCH";
    const { session: open } = await session((command) => {
      if (command.startsWith("SELECT"))
        return "* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT 4294967295] x\r\n* OK [HIGHESTMODSEQ 9] x\r\n* VANISHED (EARLIER) 1:4294967290\r\nTAG OK\r\n";
      return command.startsWith("UID SEARCH") ? '* ESEARCH (TAG "TAG") UID ALL 1:4294967295\r\nTAG OK\r\n' : undefined;
    }, capabilities);
    expect(await open.select("INBOX", { uidValidity: 7, modSeq: "5" })).toMatchObject({ vanished: null, changed: [] });
    expect(await failureOf(open.uids(1))).toMatchObject({ code: "mailbox_broken", step: "search" });
  });

  it("without MOVE copies, and removes only what the server says it has copied", async () => {
    const said: string[] = [];
    const answers = (copied: string) => (command: string) => {
      said.push(command);
      return command.startsWith("UID COPY") ? `TAG OK ${copied}done\r\n` : undefined;
    };
    const { session: told } = await session(answers("[COPYUID 7 5 31] "), "IMAP4rev1 UIDPLUS");
    said.length = 0;
    expect(await told.move([4, 5], "Archive")).toEqual(new Map([[5, 31]]));
    expect(said).toEqual(['UID COPY 4:5 "Archive"', "UID STORE 5 +FLAGS.SILENT (\\Deleted)", "UID EXPUNGE 5"]);

    const { session: untold } = await session(answers(""), "IMAP4rev1 UIDPLUS");
    said.length = 0;
    expect(await untold.move([4, 5], "Archive")).toEqual(new Map());
    expect(said).toEqual(['UID COPY 4:5 "Archive"']);

    const { session: poor } = await session(answers(""));
    said.length = 0;
    expect(await poor.move([4, 5], "Archive")).toBeNull();
    expect(said).toEqual(['UID COPY 4:5 "Archive"', "UID STORE 4:5 +FLAGS.SILENT (\\Deleted)"]);
    expect(said.join()).not.toMatch(/(?<!UID )EXPUNGE/);

    const { session: lying } = await session(answers("[COPYUID 7 1:9 3] "), "IMAP4rev1 UIDPLUS");
    expect(await failureOf(lying.move([4], "Archive"))).toMatchObject({ code: "mailbox_broken", step: "move" });
  });

  it("stops a move where copying failed: nothing is marked as deleted", async () => {
    const said: string[] = [];
    const { session: open } = await session((command) => {
      said.push(command);
      return command.startsWith("UID COPY") ? "TAG NO [TRYCREATE] no such folder\r\n" : undefined;
    });
    said.length = 0;
    expect(await failureOf(open.move([4], "Archive"))).toMatchObject({ step: "move", reason: "no such folder" });
    expect(said).toHaveLength(1);
  });

  it("sends the name of a folder as the server wrote it, and no command in it", async () => {
    const name = "x\r\nA9 DELETE INBOX";
    const { session: open, server } = await session((command) => {
      if (command.startsWith("LIST"))
        return `* LIST () "/" {${name.length}}\r\n${name}\r\n* LIST () NIL NIL\r\nTAG OK\r\n`;
      return command.startsWith("SELECT")
        ? "+ go on\r\n* OK [UIDVALIDITY 1] x\r\n* OK [UIDNEXT 1] x\r\nTAG OK\r\n"
        : undefined;
    });
    const [hostile, nil] = await open.folders();
    expect(nil).toMatchObject({ raw: "NIL", delimiter: null });
    await open.select(hostile?.raw ?? "");
    expect(server.received).toContain(`SELECT {${name.length}}\r\n${name}\r\n`);
  });

  it("asks before it sends a large literal, and takes no for an answer", async () => {
    const { session: open, server } = await session((command) =>
      command.startsWith("APPEND") ? "TAG NO [OVERQUOTA] Mailbox is full\r\n" : undefined,
    );
    const error = await failureOf(open.append("Sent", new Uint8Array(9000).fill(65), { seen: true }, new Date(0)));
    expect(error).toMatchObject({ code: "mailbox_broken", step: "append", reason: "Mailbox is full" });
    expect(server.received).toContain('APPEND "Sent" (\\Seen) " 1-Jan-1970 00:00:00 +0000" {9002}\r\n');
    expect(server.received).not.toContain("AAAA");
    // The session goes on.
    expect(await open.uids(1)).toEqual([]);
  });
});

describe("a hostile server", () => {
  const hostile = (said: Said | null, silenceMs = 5000) => {
    const server = imapServer((command) => (command.startsWith("UID") ? said : undefined));
    return connect(server, { silenceMs }).then((open) => ({ open, server }));
  };

  it.each([
    ["closes the connection", null, /closed/],
    ["says goodbye and leaves", "* BYE Server shutting down for maintenance\r\n", /./],
    ["answers a command that was not sent", "A99 OK\r\n", /not sent/],
    ["asks for more than there is", "+ more\r\n", /more than there is/],
    ["never ends a line", "x".repeat(1_100_000), /line is too long/],
    ["never ends a list", `* 1 FETCH (UID 5 ${"(".repeat(50)}\r\nTAG OK\r\n`, /list does not end/],
    ["sends no response", "\0\0\0\r\n", /no response/],
    ["sends HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", /no response/],
    ["sends more than was asked for", "* 1 FETCH (UID 5 BODY[1]<0> {400000}\r\n", /./],
  ] as const)("that %s is told of as such", async (_, said, reason) => {
    const { open, server } = await hostile(said, 200);
    const read = async () => {
      for await (const piece of open.part(5, "1")) expect(piece.length).toBeLessThan(300_000);
      return open.flags([5]);
    };
    const error = await failureOf(read());
    expect(error).toMatchObject({ name: "MailboxError", code: "mailbox_broken" });
    expect(error.reason).toMatch(reason);
    // The rest of the connection is not to be trusted.
    await expect(open.uids(1)).rejects.toMatchObject({ code: "mailbox_broken" });
    await open.logout();
    expect(server.isClosed).toBe(true);
  });

  it("that sends a huge literal costs no memory, and is refused", async () => {
    const chunk = new Uint8Array(64 * 1024).fill(65);
    const { open, server } = await hostile("");
    const failed = failureOf(
      (async () => {
        for await (const _ of open.part(5, "1"));
      })(),
    );
    const [, tag] = await server.hears(/(A\d+) UID FETCH/);
    await server.say("* 1 FETCH (UID 5 BODY[1]<0> {40000000}\r\n");
    for (let sent = 0; sent < 40_000_000; sent += chunk.length) await server.say(chunk.slice(0, 40_000_000 - sent));
    await server.say(`)\r\n${tag} OK\r\n`);
    expect(await failed).toMatchObject({
      code: "mailbox_broken",
      reason: expect.stringContaining("more than was asked"),
    });
  });

  it("that is silent is left after a while, also when it says a byte now and then", async () => {
    const silent = new ScriptedServer();
    expect(await failureOf(connect(silent, { silenceMs: 30 }))).toMatchObject({
      code: "mailbox_broken",
      step: "greeting",
    });
    const trickling = new ScriptedServer();
    const failed = failureOf(connect(trickling, { silenceMs: 20 }));
    let isOver = false;
    void failed.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await trickling.say("x");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await failed).toMatchObject({ code: "mailbox_broken" });
  });

  it("may say anything at any time: a call ends with a result or a MailboxError", async () => {
    const word = fc.constantFrom(
      ...[
        "* ",
        "A1 OK",
        "TAG OK\r\n",
        "\r\n",
        "{5}\r\n",
        "(",
        ")",
        '"',
        " ",
        "FETCH",
        "1",
        "UID 5",
        "FLAGS ",
        "BODY[1]<0> ",
      ],
      ...[
        "* SEARCH 1 2\r\n",
        "* LIST () NIL a\r\n",
        "\0",
        "[COPYUID 1 2 3]",
        "* OK [UIDVALIDITY 1]\r\n",
        "NIL",
        "+ \r\n",
        "BODYSTRUCTURE ",
      ],
    );
    const said = fc.array(word, { maxLength: 25 }).map((words) => words.join(""));
    const call = fc.constantFrom<((open: ImapSession) => Promise<unknown>)[]>(
      (open) => open.folders(),
      (open) => open.select("INBOX"),
      (open) => open.uids(1),
      (open) => open.flags([5]),
      (open) => open.heads([5]),
      (open) => open.whole(5, 100),
      (open) => open.structure(5),
      (open) => open.move([5], "a"),
      (open) => open.append("a", bytes("x"), { seen: true }, new Date()),
      (open) => open.create("a"),
    );
    await fc.assert(
      fc.asyncProperty(said, call, async (words, use) => {
        let isFirst = true;
        const { session: open } = await session((command) => {
          if (/^CAPABILITY|^LOGIN/.test(command) || !isFirst) return undefined;
          isFirst = false;
          return `${words}\r\nTAG OK\r\n`;
        });
        const connectionEnds = new Promise((resolve) => setTimeout(resolve, 200, "late"));
        const error = await Promise.race([failureOf(use(open)), connectionEnds]);
        if (error !== null && error !== "late") expect(error).toMatchObject({ name: "MailboxError" });
        await open.logout();
      }),
      { numRuns: 60 },
    );
  });
});
