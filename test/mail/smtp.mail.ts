import { describe, expect, it } from "vitest";
import { checkSmtp, openImap, sendBySmtp } from "../../src/providers/mailbox/client.ts";
import type { OutgoingMail, ServerAddress } from "../../src/providers/mailbox/types.ts";
import { cutAt, newUser, sentTo, servers, withStartTls, withTls } from "./control.ts";

const LOCAL = { allowPrivateHosts: true };

const bytes = (text: string) => new TextEncoder().encode(text);
const message = (body: string) =>
  bytes(`Subject: Hello\r\nMessage-ID: <${crypto.randomUUID()}@mail.test>\r\n\r\n${body}`);
const someone = (name = "to") => `${name}-${crypto.randomUUID().slice(0, 8)}@outside.test`;

function failure(server: ServerAddress, mail: OutgoingMail, auth = newUser(), options: object = {}) {
  return sendBySmtp(server, auth, { ...LOCAL, ...options }, mail).then(
    () => "sent",
    (error) => error,
  );
}

describe.each([
  { name: "Dovecot's submission with TLS", server: withTls(servers.rich.submissions) },
  { name: "Dovecot's submission with STARTTLS", server: withStartTls(servers.rich.submission) },
  { name: "the relay with TLS", server: withTls(servers.relay.submissions) },
  { name: "the relay with STARTTLS", server: withStartTls(servers.relay.submission) },
])("$name", ({ server }) => {
  it("takes a message as it is, with its dots and its line breaks made right", async () => {
    const to = [someone(), someone()];
    const body = ".\n..\r\n.a\r\rb\n\r\n.\r\nÄ end without a break";
    await sendBySmtp(server, newUser(), LOCAL, { from: "ada@mail.test", to, message: message(body) });
    const [sent] = await sentTo(to[1] ?? "");
    expect(sent).toMatchObject({ from: "ada@mail.test", to });
    const text = new TextDecoder().decode(sent?.content);
    expect(text.slice(text.indexOf("\r\n\r\n") + 4)).toBe(
      ".\r\n..\r\n.a\r\n\r\nb\r\n\r\n.\r\nÄ end without a break\r\n",
    );
  });

  it("sends nothing if one recipient is refused", async () => {
    const good = someone();
    for (const [name, isTemporary] of [["nobody", false] as const, ["later", true] as const]) {
      const error = await failure(server, { from: "ada@mail.test", to: [good, someone(name)], message: message("Hi") });
      expect(error).toMatchObject({ code: "recipient_refused", step: "recipient", isTemporary });
      expect(error.reason).toContain(isTemporary ? "Try again later" : "No such user");
    }
    expect(await sentTo(good)).toEqual([]);
  });

  it("says that a message is refused, and how large one may be", async () => {
    const mail = { from: "ada@mail.test", to: [someone("spam")], message: message("Hi") };
    expect(await failure(server, mail)).toMatchObject({ code: "mail_refused", step: "message", isTemporary: false });
    const large = { ...mail, to: [someone()], message: new Uint8Array(32 * 1024 * 1024).fill(65) };
    expect(await failure(server, large)).toMatchObject({
      code: "mail_refused",
      reason: expect.stringMatching(/at most/),
    });
    const { maxSize, capabilities } = await checkSmtp(server, newUser(), LOCAL);
    expect(maxSize).toBeGreaterThanOrEqual(30 * 1024 * 1024);
    expect(capabilities).toContain("SIZE");
  });

  it("refuses a wrong password", async () => {
    const auth = { ...newUser(), password: "wrong-password" };
    await expect(checkSmtp(server, auth, LOCAL)).rejects.toMatchObject({ code: "mailbox_auth_failed", step: "login" });
  });

  it("lets no line break into a command", async () => {
    const good = someone();
    const mail = { from: "ada@mail.test", to: [good], message: message("Hi") };
    for (const address of ["x@y.test>\r\nRCPT TO:<evil@outside.test", "x@y.test\nDATA", "<x@y.test>", "x y@z.test"]) {
      expect(await failure(server, { ...mail, to: [good, address] })).toMatchObject({ code: "recipient_refused" });
      expect(await failure(server, { ...mail, from: address })).toMatchObject({ code: "mail_refused" });
    }
    expect(await sentTo("evil@outside.test")).toEqual([]);
    expect(await sentTo(good)).toEqual([]);
  });
});

describe("what is not known after a cut", () => {
  const server = withTls(servers.cutRelay);

  it("is only what comes after the last dot", async () => {
    const large = message("x".repeat(200_000));
    const outcomes = new Map<string, number>();
    for (let run = 0; run < 40; run++) {
      // Until the message is over, and a little longer.
      await cutAt(servers.cutRelay, { side: "client", min: 200, max: run % 2 ? 202_000 : 3000 });
      const to = someone();
      const outcome = await failure(server, { from: "ada@mail.test", to: [to], message: large });
      const code = outcome === "sent" ? "sent" : outcome.code;
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
      const left = (await sentTo(to)).length;
      if (code === "sent") expect(left).toBe(1);
      else if (code !== "mail_maybe_sent") expect([code, left]).toEqual([code, 0]);
    }
    await cutAt(servers.cutRelay, null);
    expect([...outcomes.keys()].filter((code) => !/^(?:sent|mail_maybe_sent|mailbox_)/.test(code))).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(0);
  });

  it("is told when the server closes the connection instead of an answer", async () => {
    const to = someone("dropped");
    const mail = { from: "ada@mail.test", to: [to], message: message("Hi") };
    const outcome = await failure(withTls(servers.relay.submissions), mail);
    expect(outcome).toMatchObject({ code: "mail_maybe_sent", step: "message" });
    expect(await sentTo(to)).toHaveLength(1);
  });

  it("is told when the server is silent", async () => {
    const to = someone();
    // The handshake and the first answers, but not the last one.
    for (const size of [2500, 3000, 3500]) {
      await cutAt(servers.cutRelay, { side: "server", min: size, max: size, isSilent: true });
      const outcome = await failure(server, { from: "ada@mail.test", to: [to], message: message("Hi") }, newUser(), {
        silenceMs: 200,
      });
      if (outcome !== "sent") expect(outcome.code).toMatch(/^mail/);
    }
    await cutAt(servers.cutRelay, null);
  });
});

it("what is sent to a mailbox arrives there", async () => {
  const user = newUser();
  const to = `${user.username}@mail.test`;
  await sendBySmtp(withTls(servers.rich.submissions), user, LOCAL, {
    from: to,
    to: [to],
    message: message("To myself"),
  });
  const session = await openImap(withTls(servers.rich.imaps), user, LOCAL);
  expect(await session.select("INBOX")).toMatchObject({ exists: 1 });
  await session.logout();
});
