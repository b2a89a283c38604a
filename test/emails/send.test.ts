import { describe, expect, it } from "vitest";
import { countRows, signedInPerson } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { deliver } from "./deliver.ts";
import { fakeMail, refusal } from "./fake-mail.ts";
import { storeMail } from "./new-mail.ts";

const MAIL_FROM = "assistant@ours.example";
const LETTER = { to: ["Ann Lee <ann@example.com>"], subject: "Contract", body: "Here it is." };

function desk(answer?: () => unknown) {
  const { sent, EMAIL } = fakeMail(answer);
  return { sent, api: service({ EMAIL, MAIL_FROM }) };
}

async function signedInDesk(identity?: Record<string, unknown>) {
  const { sent, api } = desk();
  const person = await signedInPerson("owner");
  const options = { token: person.token };
  if (identity) await api.post("/api/settings/identities", { name: "Ada Lovelace", ...identity }, options);
  // The person is told of an address that others answer to.
  sent.length = 0;
  return { sent, api, person, options };
}

describe("a new email", () => {
  it("goes to all recipients in one message, and is stored with its bcc", async () => {
    const { sent, api } = desk(() => ({ messageId: "<new-1@mail.test>" }));
    const { status, body } = await api.post("/api/emails/send", {
      ...LETTER,
      cc: "bob@example.com",
      bcc: [{ name: "Eve", email: "eve@example.com" }],
      html: "<p>Here it is.</p>",
    });
    expect(status).toBe(201);
    expect(sent).toEqual([
      {
        from: { name: "Personal Operations Assistant", email: MAIL_FROM },
        to: [{ name: "Ann Lee", email: "ann@example.com" }],
        cc: [{ name: "", email: "bob@example.com" }],
        bcc: [{ name: "Eve", email: "eve@example.com" }],
        subject: "Contract",
        text: "Here it is.",
        html: "<p>Here it is.</p>",
      },
    ]);
    expect(body).toMatchObject({
      messageId: "<new-1@mail.test>",
      direction: "outbound",
      delivery: "sent",
      bcc: [{ email: "eve@example.com" }],
      status: "archived",
      isRead: true,
      sendAt: null,
      identityId: null,
    });
    const listed = (await api.get("/api/emails?direction=outbound&limit=1")).body.data[0];
    expect(listed).not.toHaveProperty("bcc");
  });

  it("with HTML alone has the text of it", async () => {
    const { sent, api } = desk();
    const { body: _, ...letter } = LETTER;
    await api.post("/api/emails/send", { ...letter, html: "<p>Hello <b>Ann</b></p><p>Bye</p>" });
    expect(sent[0]).toMatchObject({ text: "Hello Ann\n\nBye", html: "<p>Hello <b>Ann</b></p><p>Bye</p>" });
  });

  it("needs a recipient, a subject and a text, and at most 50 recipients", async () => {
    const { sent, api } = desk();
    const many = Array.from({ length: 51 }, (_, index) => `p${index}@example.com`);
    for (const letter of [
      { ...LETTER, to: [] },
      { ...LETTER, body: undefined },
      { ...LETTER, subject: "" },
      { ...LETTER, to: many },
      { ...LETTER, to: many.slice(0, 30), cc: many.slice(20) },
    ]) {
      const answer = await api.post("/api/emails/send", letter);
      expectProblem(answer, 422, "validation_failed");
    }
    expect(sent).toHaveLength(0);
    const twice = await api.post("/api/emails/send", { ...LETTER, to: ["a@example.com", "A@example.com"] });
    expect(twice.body.to).toHaveLength(1);
  });

  it("joins the thread of a stored email by its id or Message-ID", async () => {
    const { sent, api } = desk();
    const mail = await storeMail(api, "send-thread", { messageId: "<thread-root@x>" });
    for (const inReplyTo of [mail.id, "<thread-root@x>", "thread-root@x"]) {
      const { body } = await api.post("/api/emails/send", { ...LETTER, inReplyTo });
      expect(body).toMatchObject({ threadId: mail.threadId, inReplyTo: "<thread-root@x>", body: "Here it is." });
    }
    expect(sent[0]?.headers).toEqual({ "In-Reply-To": "<thread-root@x>", References: "<thread-root@x>" });
    expectProblem(await api.post("/api/emails/send", { ...LETTER, inReplyTo: 999_999 }), 422, "validation_failed");
  });

  it("is refused without outgoing email, and nothing is stored", async () => {
    const before = await countRows("emails", "1");
    const api = service({ MAIL_FROM: undefined, EMAIL: undefined, ALLOW_PRIVATE_HOSTS: "false" });
    expectProblem(await api.post("/api/emails/send", LETTER), 501, "mail_not_configured");
    expect(await countRows("emails", "1")).toBe(before);
  });

  it("that the email service refuses stays stored as failed, and says because of whom", async () => {
    expectErrorLog("mail_not_sent");
    const { api } = desk(() => {
      throw refusal("recipient bob@example.com is on the suppression list", "E_RECIPIENT_SUPPRESSED");
    });
    const options = { headers: { "idempotency-key": "send-refused" } };
    const letter = { ...LETTER, cc: ["bob@example.com"], subject: "Refused" };
    const answer = await api.post("/api/emails/send", letter, options);
    expectProblem(answer, 502, "provider_error");
    expect(answer.body.detail).toContain("does not accept bob@example.com");
    const [failed] = (await api.get("/api/emails?direction=outbound&q=Refused")).body.data;
    expect(failed).toMatchObject({ delivery: "failed" });
    expect(failed.deliveryError).toMatch(
      /^The email service did not accept this email\. Nothing was sent\. It does not accept bob/,
    );
    // Nothing left, so the key is free for another attempt.
    const again = desk();
    expect((await again.api.post("/api/emails/send", letter, options)).status).toBe(201);
    expect(again.sent).toHaveLength(1);
  });

  it("whose outcome is lost is never sent again under its key", async () => {
    expectErrorLog("mail_not_sent");
    let calls = 0;
    const { api } = desk(() => {
      calls += 1;
      throw new Error("connection lost");
    });
    const options = { headers: { "idempotency-key": "send-lost" } };
    expectProblem(await api.post("/api/emails/send", LETTER, options), 504, "provider_timeout");
    expectProblem(await api.post("/api/emails/send", LETTER, options), 409, "idempotency_unfinished");
    expect(calls).toBe(1);
  });

  it("sent in parallel with one key leaves once", async () => {
    const { sent, api } = desk();
    const options = { headers: { "idempotency-key": "send-parallel" } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => api.post("/api/emails/send", LETTER, options)));
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(sent).toHaveLength(1);
  });

  it("keeps every address intact, and puts nothing into a header that does not belong there", async () => {
    const { sent, api } = desk();
    await api.post("/api/emails/send", {
      to: [
        '"Lee, Ann" <ann@example.com>',
        { name: 'Bob "the\r\nBcc: eve@example.com" Builder', email: "bob@example.com" },
        { name: "Jürgen Müller 🎉", email: "jürgen@bücher.example" },
      ],
      subject: "Hello\r\nBcc: eve@example.com\u0000 end",
      body: "Line\r\n.\r\nend",
    });
    expect(sent[0]?.to).toEqual([
      { name: "Lee, Ann", email: "ann@example.com" },
      { name: 'Bob "the Bcc: eve@example.com" Builder', email: "bob@example.com" },
      { name: "Jürgen Müller 🎉", email: "jürgen@xn--bcher-kva.example" },
    ]);
    expect(sent[0]?.bcc).toBeUndefined();
    expect(sent[0]?.subject).not.toMatch(/[\r\n]/);
    for (const to of ["a@b.example\r\nBcc: eve@example.com", "a@b.example, eve@example.com", "<>", "nobody"]) {
      expectProblem(await api.post("/api/emails/send", { ...LETTER, to: [to] }), 422, "validation_failed");
    }
    expect(sent).toHaveLength(1);
  });

  it("makes its recipients known when a person writes, and not when an API key does", async () => {
    const { api, options } = await signedInDesk();
    const known = (email: string) => countRows("known_senders", "email = ?", email);
    await api.post(
      "/api/emails/send",
      { ...LETTER, to: ["known-1@example.com"], bcc: ["known-2@example.com"] },
      options,
    );
    expect([await known("known-1@example.com"), await known("known-2@example.com")]).toEqual([1, 1]);
    const { body } = await api.post(
      "/api/settings/security/api-keys",
      { name: "k", scopes: ["emails:write"], expiresInDays: null, currentPassword: "correct horse battery staple" },
      options,
    );
    await api.post("/api/emails/send", { ...LETTER, to: ["unknown@example.com"] }, { token: body.key });
    expect(await known("unknown@example.com")).toBe(0);
  });
});

describe("the sender", () => {
  it("is the person's name at the service's address, and a reply comes to the inbox that got the original", async () => {
    const { sent, api, options, person } = await signedInDesk();
    await deliver(
      "From: Ann <ann@example.com>\nTo: Hello <hello@ours.example>, bob@example.com\nCc: carl@example.com\nSubject: Question\nMessage-ID: <sender-q@x>\n\nWhen?",
      { to: "hello@ours.example" },
    );
    const [mail] = (await api.get("/api/emails?q=Question&tag=hello", options)).body.data;
    await api.post(`/api/emails/${mail.id}/reply`, { body: "Soon.", replyAll: true }, options);
    const name = (await api.get("/api/auth/me", options)).body.user.name;
    expect(person.token).toBeTruthy();
    expect(sent[0]).toMatchObject({
      from: { name, email: MAIL_FROM },
      replyTo: { name, email: "hello@ours.example" },
      to: [{ email: "ann@example.com" }],
      cc: [{ email: "bob@example.com" }, { email: "carl@example.com" }],
    });
  });

  it("is the default identity or the one that is named, with its signature once", async () => {
    const { sent, api, options } = await signedInDesk({
      address: "ada@ours.example",
      replyTo: "Desk <desk@ours.example>",
      signature: "Ada Lovelace\nEngines Ltd",
    });
    await api.post("/api/emails/send", { ...LETTER, html: "<html><body><p>Hi</p></body></html>" }, options);
    expect(sent[0]).toMatchObject({
      from: { name: "Ada Lovelace", email: "ada@ours.example" },
      replyTo: { name: "Desk", email: "desk@ours.example" },
      text: "Here it is.\n\n-- \nAda Lovelace\nEngines Ltd",
    });
    expect(sent[0]?.html).toMatch(/Ada Lovelace<br>\s*Engines Ltd<\/div><\/body><\/html>$/);
    await api.post("/api/emails/send", { ...LETTER, body: "Hi\n\nAda Lovelace\nEngines Ltd" }, options);
    expect(sent[1]?.text).toBe("Hi\n\nAda Lovelace\nEngines Ltd");
    await api.post("/api/emails/send", { ...LETTER, signature: false }, options);
    expect(sent[2]?.text).toBe("Here it is.");
    const other = await api.post("/api/settings/identities", { name: "Work" }, options);
    await api.post("/api/emails/send", { ...LETTER, identityId: other.body.id }, options);
    expect(sent[3]).toMatchObject({ from: { name: "Work", email: MAIL_FROM }, text: "Here it is." });
    expectProblem(
      await api.post("/api/emails/send", { ...LETTER, identityId: 999_999 }, options),
      422,
      "validation_failed",
    );
  });

  it("cannot be another person's identity, nor one whose domain the service has left", async () => {
    const ada = await signedInDesk({ address: "ada@ours.example" });
    const { id } = (await ada.api.get("/api/settings/identities", ada.options)).body.data[0];
    const eve = await signedInDesk();
    for (const options of [eve.options, undefined]) {
      const answer = await eve.api.post("/api/emails/send", { ...LETTER, identityId: id }, options);
      expectProblem(answer, 422, "validation_failed");
    }
    const moved = service({ EMAIL: fakeMail().EMAIL, MAIL_FROM: "assistant@new.example" });
    expectProblem(await moved.post("/api/emails/send", LETTER, ada.options), 422, "validation_failed");
  });
});

describe("a reply to all", () => {
  it("leaves out every address of one's own", async () => {
    const { sent, api, options } = await signedInDesk({
      address: "ada@ours.example",
      replyTo: "desk@elsewhere.example",
    });
    const { email } = (await api.get("/api/auth/me", options)).body.user;
    const mail = await storeMail(api, "reply-own", {
      to: [email.toUpperCase(), "ada+x@ours.example", "assistant@ours.example", "bob@example.com"],
      cc: ["desk@elsewhere.example", "reply-own@ours.example", "carl@example.com"],
    });
    await api.post(`/api/emails/${mail.id}/reply`, { body: "All", replyAll: true }, options);
    expect(sent[0]?.cc?.map((each) => each.email)).toEqual(["bob@example.com", "carl@example.com"]);
  });

  it("can be given other recipients", async () => {
    const { sent, api } = desk();
    const mail = await storeMail(api, "reply-override");
    await api.post(`/api/emails/${mail.id}/reply`, { body: "x", to: ["zoe@example.com"], bcc: "eve@example.com" });
    expect(sent[0]).toMatchObject({ to: [{ email: "zoe@example.com" }], bcc: [{ email: "eve@example.com" }] });
    expect(sent[0]?.cc).toBeUndefined();
  });
});

describe("the quoted original", () => {
  it("is written by the person's locale, in text and HTML, without anything active", async () => {
    const { sent, api, options } = await signedInDesk();
    await api.patch("/api/settings/profile", { locale: "de-DE", timeZone: "Europe/Berlin" }, options);
    const mail = await storeMail(api, "quote-de", {
      from: { name: "Ann\nLee", email: "ann@example.com" },
      body: "Hallo\n\n> alt\nneu",
      html: '<html><head><style>p{}</style></head><body><script>x()</script><p onclick="x()">Hallo <a href="javascript:x()">hier</a></p></div><!-- <b>',
      receivedAt: "2026-11-16T09:30:00Z",
    });
    await api.post(`/api/emails/${mail.id}/reply`, { body: "Ja", html: "<p>Ja</p>" }, options);
    const line = "Am Mo., 16. Nov. 2026, 10:30 schrieb Ann Lee <ann@example.com>:";
    expect(sent[0]?.text).toBe(`Ja\n\n${line}\n> Hallo\n>\n>> alt\n> neu`);
    expect(sent[0]?.html).toContain("<p>Hallo <a>hier</a></p>");
    expect(sent[0]?.html).not.toMatch(/script|onclick|<style|<\/div>/);
  });

  it("can be left out", async () => {
    const { sent, api } = desk();
    const mail = await storeMail(api, "quote-none");
    await api.post(`/api/emails/${mail.id}/reply`, { body: "Ja", quote: false });
    expect(sent[0]?.text).toBe("Ja");
  });
});
