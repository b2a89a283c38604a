import { describe, expect, it } from "vitest";
import { sendOver } from "../../../src/providers/mailbox/smtp/send.ts";
import type { MailboxAuth, ServerAddress } from "../../../src/providers/mailbox/types.ts";
import { bytes, type Said, ScriptedServer } from "./scripted.ts";

const IMPLICIT: ServerAddress = { host: "mail.test", port: 465, tls: "implicit" };
const AUTH: MailboxAuth = { kind: "password", username: "ada", password: "geheim" };
const MAIL = {
  from: "ada@mail.test",
  to: ["bob@outside.test", "eve@outside.test"],
  message: bytes("Subject: x\r\n\r\n.\r\n"),
};
const DOT = /\r\n\.\r\n$/;

const OFFER = "250-mail.test\r\n250-SIZE 1000\r\n250 AUTH PLAIN LOGIN\r\n";
const DATA = "354 go on\r\n";
const USUAL: [RegExp, Said][] = [
  [/^EHLO/, OFFER],
  [/^AUTH PLAIN/, "235 in\r\n"],
  [/^(?:MAIL|RCPT)/, "250 ok\r\n"],
  [/^DATA/, DATA],
  [/^QUIT/, "221 bye\r\n"],
];

/** Says as told, otherwise what servers say; null closes the connection, an empty text is silence. */
async function send(
  said: [RegExp, Said | null][],
  { mail = MAIL, auth = AUTH, address = IMPLICIT, silenceMs = 5000, greeting = "220 hi\r\n" } = {},
) {
  const server = new ScriptedServer();
  const serve = async () => {
    await server.say(greeting);
    let isData = false;
    for (let from = 0; !server.isClosed; ) {
      const found = await server.hears(isData ? /^([\s\S]*?\r\n)\.\r\n|^\.\r\n/ : /^(.*)\r\n/, from);
      from += found[0].length;
      const line: string = isData ? "." : (found[1] ?? "");
      isData = false;
      const rule: [RegExp, Said | null] | undefined = [...said, ...USUAL].find(([pattern]) => pattern.test(line));
      const answer = rule ? rule[1] : "250 ok\r\n";
      if (answer === null) await server.close();
      else await server.say(answer);
      isData = answer === DATA;
    }
  };
  serve().catch(() => undefined);
  const error = await sendOver(server.connection(silenceMs), address, auth, mail).then(
    () => null,
    (caught) => caught,
  );
  return { error, received: server.received };
}

describe("a submission", () => {
  it("has the envelope without a space, the size, and the message with doubled dots", async () => {
    const { error, received } = await send([]);
    expect(error).toBeNull();
    expect(received).toContain(
      "MAIL FROM:<ada@mail.test> SIZE=17\r\nRCPT TO:<bob@outside.test>\r\nRCPT TO:<eve@outside.test>\r\n",
    );
    expect(received).toContain("DATA\r\nSubject: x\r\n\r\n..\r\n.\r\n");
  });

  it("sends no message when a recipient is refused", async () => {
    const { error, received } = await send([[/^RCPT TO:<eve/, "550-5.1.1 No\r\n550 5.1.1 such user\r\n"]]);
    expect(error).toMatchObject({
      code: "recipient_refused",
      reason: "eve@outside.test: 550 5.1.1 No 5.1.1 such user",
      isTemporary: false,
    });
    expect(received).not.toContain("DATA");
    const busy = await send([[/^RCPT/, "421 4.7.0 Try later\r\n"]]);
    expect(busy.error).toMatchObject({ code: "mailbox_busy", isTemporary: true });
  });

  it("knows that nothing was sent before the last dot", async () => {
    for (const at of [/^EHLO/, /^AUTH/, /^MAIL/, /^RCPT/, /^DATA/]) {
      const cut = await send([[at, null]]);
      expect(cut.error).toMatchObject({ code: "mailbox_broken" });
      expect(cut.received).not.toMatch(DOT);
      const silent = await send([[at, ""]], { silenceMs: 30 });
      expect(silent.error).toMatchObject({ code: "mailbox_broken", reason: expect.stringContaining("said nothing") });
    }
    for (const [at, code] of [
      [/^MAIL/, "mail_refused"],
      [/^DATA/, "mail_refused"],
      [/^\./, "mail_refused"],
    ] as const) {
      expect((await send([[at, "554 No\r\n"]])).error).toMatchObject({ code, isTemporary: false });
      expect((await send([[at, "451 Later\r\n"]])).error).toMatchObject({ code, isTemporary: true });
    }
  });

  it("does not know it after the last dot, unless the server says so", async () => {
    for (const said of [null, "garbage\r\n", "250-unfinished\r\n", "354 more\r\n", "200 hm\r\n"]) {
      const { error } = await send([[/^\./, said]], { silenceMs: 30 });
      expect([said, error?.code]).toEqual([said, "mail_maybe_sent"]);
    }
    expect((await send([[/^\./, ""]], { silenceMs: 30 })).error).toMatchObject({ code: "mail_maybe_sent" });
  });

  it("takes no answer that came before its question", async () => {
    const { error } = await send([[/^RCPT TO:<eve/, "250 ok\r\n354 go on\r\n250 sent\r\n"]]);
    expect(error).toMatchObject({ code: "mailbox_broken", reason: expect.stringContaining("unasked") });
  });

  it("does not begin with what the server will not take", async () => {
    const large = await send([], { mail: { ...MAIL, message: new Uint8Array(1001).fill(65) } });
    expect(large.error).toMatchObject({ code: "mail_refused", reason: expect.stringContaining("at most 1000") });
    const international = await send([], { mail: { ...MAIL, to: ["jürgen@outside.test"] } });
    expect(international.error).toMatchObject({ code: "recipient_refused" });
    for (const { received } of [large, international]) expect(received).not.toContain("MAIL");
    const domain = await send([], { mail: { ...MAIL, to: ["x@müller.test"] } });
    expect(domain.received).toContain("RCPT TO:<x@xn--mller-kva.test>");
  });

  it("logs in as the server offers, and tells a wrong password from a busy server", async () => {
    const login = await send([
      [/^EHLO/, "250-x\r\n250 AUTH LOGIN\r\n"],
      [/^AUTH LOGIN/, "334 VXNlcm5hbWU6\r\n"],
      [/^YWRh$/, "334 UGFzc3dvcmQ6\r\n"],
      [/^Z2VoZWlt$/, "235 in\r\n"],
    ]);
    expect(login.error).toBeNull();
    const refused = await send([[/^AUTH/, "535 5.7.8 AGFkYQBnZWhlaW0= geheim\r\n"]]);
    expect(refused.error).toMatchObject({ code: "mailbox_auth_failed", reason: "535 5.7.8 … …" });
    expect((await send([[/^AUTH/, "454 4.7.0 Temporary failure\r\n"]])).error).toMatchObject({ code: "mailbox_busy" });
    expect((await send([[/^EHLO/, "250 x\r\n"]])).error).toMatchObject({ code: "mailbox_auth_failed" });
    expect((await send([], { greeting: "554 Too many connections\r\n" })).error).toMatchObject({
      code: "mailbox_busy",
    });
  });

  it("says nothing before TLS, and takes nothing that came before it", async () => {
    const address: ServerAddress = { ...IMPLICIT, tls: "starttls" };
    const stripped = await send([], { address });
    const injected = await send(
      [
        [/^EHLO/, "250-x\r\n250 STARTTLS\r\n"],
        [/^STARTTLS/, `220 go\r\n${OFFER}`],
      ],
      { address },
    );
    for (const { error, received } of [stripped, injected]) {
      expect(error.code).toMatch(/^mailbox_(?:tls_failed|broken)$/);
      expect(received).not.toContain("AUTH");
    }
  });
});
