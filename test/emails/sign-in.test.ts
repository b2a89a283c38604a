import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dailyBrief } from "../../src/features/brief/service.ts";
import { newTenant } from "../ai/tenant.ts";
import { signedInPerson } from "../auth/people.ts";
import { emptyService, expectProblem, service, systemCtx } from "../harness.ts";
import { agent, keyOf } from "../mcp/agents.ts";
import { deliverQueue } from "../queued.ts";
import { newWebhook, removeWebhooks } from "../webhooks/receiver.ts";
import { deliver, deliverAndAnalyse } from "./deliver.ts";

const api = service();
const CODE = "829104";
const TOKEN = "a8Zk2qLw9";
const WITHHELD = /shown only to a person/;

const MAILS = {
  code: [
    `${CODE} is your sign-in code`,
    `Hello,\n\nyour sign-in code is ${CODE}. It expires in 10 minutes. Please enter it by tomorrow.\n`,
  ],
  link: [
    "Reset your password",
    `Click the link to reset your password: https://bank.example/reset/${TOKEN}\nThe link expires in 2 hours.\n`,
  ],
} as const;

const raw = (kind: keyof typeof MAILS, id: string) =>
  `From: Bank <noreply@bank.example>\nTo: hello@example.com\nSubject: ${MAILS[kind][0]}\nMessage-ID: <${id}>\n\n${MAILS[kind][1]}`;

/** Delivers one, analyzed, and returns it as its reader sees it. */
async function receive(kind: keyof typeof MAILS = "code", vars = {}) {
  const id = `sign-in-${crypto.randomUUID()}`;
  expect(await deliverAndAnalyse(raw(kind, id), { to: `${id}@example.com`, vars })).toBeNull();
  const { body } = await api.get(`/api/emails?tag=${id}`);
  return (await api.get(`/api/emails/${body.data[0].id}`)).body;
}

beforeEach(emptyService);
afterEach(removeWebhooks);

describe("an email with a sign-in code", () => {
  it("shows its code to a person, with its expiry, and asks for nothing", async () => {
    const email = await receive("code", { INBOUND_TASKS: "every" });
    const expires = Date.parse(email.receivedAt) + 10 * 60_000;
    expect(email.signIn).toEqual({ kind: "code", code: CODE, expiresAt: new Date(expires).toISOString() });
    expect(email).toMatchObject({ subject: MAILS.code[0], kind: "notification", replyNeeded: false });
    expect(email.body).toContain(CODE);
    expect(email.analysis).toMatchObject({
      urgency: { level: "low" },
      actionItems: [],
      meeting: null,
      summary: "A sign-in code from Bank.",
      engine: { kind: "builtin", fallbackReason: null },
    });
    expect((await api.get(`/api/tasks?emailId=${email.id}`)).body.data).toEqual([]);
    const made = await api.post(`/api/emails/${email.id}/tasks`);
    expect(made.body).toEqual({ created: 0, tasks: [], note: expect.stringContaining("No task is made of it") });
    expect((await api.get("/api/emails/threads")).body.data[0]).toMatchObject({
      subject: MAILS.code[0],
      signIn: { kind: "code", code: CODE },
    });
  });

  it("is a link where it has one, which expires as it says", async () => {
    const email = await receive("link");
    const expires = Date.parse(email.receivedAt) + 120 * 60_000;
    expect(email.signIn).toEqual({ kind: "link", code: null, expiresAt: new Date(expires).toISOString() });
  });

  it.each([
    ["de", "Ihr Bestätigungscode", "Ihr Bestätigungscode lautet 551029. Er ist 5 Minuten gültig.", "551029", 5],
    ["fr", "Votre code de connexion", "Votre code de connexion est 640 218. Ne le partagez pas.", "640218", 15],
    ["es", "Tu código de verificación", "Tu código de verificación es 118204. Caduca en 30 minutos.", "118204", 30],
  ])("is recognized when it is stored through the API, in %s", async (_, subject, body, code, minutes) => {
    const receivedAt = "2026-11-18T10:00:00.000Z";
    const mail = { from: "noreply@shop.example", subject, body, receivedAt, createTasks: "every" };
    const { body: stored } = await api.post("/api/emails", mail);
    const expiresAt = new Date(Date.parse(receivedAt) + minutes * 60_000).toISOString();
    expect(stored).toMatchObject({ kind: "notification", signIn: { kind: "code", code, expiresAt } });
    expect((await api.get(`/api/tasks?emailId=${stored.id}`)).body.data).toEqual([]);
  });

  it.each([
    ["start password", "Your account", "Username: kim\nStart password: Wren-4821-Moss", "Wren-4821-Moss"],
    ["FTP password", "FTP-Zugang", "Benutzer: feld\nFTP-Passwort: mond-Kiesel-81", "mond-Kiesel-81"],
    ["PIN of a card", "Your new card", "The PIN of your new card is 4821. Use it to confirm payments.", "4821"],
  ])("has no end and is not of the past if it is a %s", async (_, subject, body, code) => {
    for (const source of ["api", "import"]) {
      const mail = { from: "noreply@host.example", subject, body, ...(source === "import" && { source }) };
      expect((await api.post("/api/emails", mail)).body.signIn).toEqual({ kind: "code", code, expiresAt: null });
    }
  });

  it.each([
    [
      "re: the app",
      "I'm driving.\n\nOn Wed Bank <a@bank.example> wrote:\n> Enter 739 204 in the app within 10 minutes.",
      "739204",
    ],
    ["heute", "Hi, ich hab dich eingetragen, der Code für die Anmeldung ist 9931.", "9931"],
    ["Konto gesperrt", "Ihr Konto ist gesperrt. Zum Entsperren: https://laden.example/entsperren?x=55", null],
  ])("is found in a quote, of a friend, and as a link that unlocks: %s", async (subject, body, code) => {
    const { body: stored } = await api.post("/api/emails", { from: "tom@home.example", subject, body });
    expect(stored.signIn).toMatchObject({ kind: code ? "code" : "link", code });
  });

  it.each([
    ["bank", "Wir werden Sie niemals nach Ihrem Passwort oder Ihrer TAN fragen."],
    ["payment", "The SWIFT code is NORDDEFF, sort code 20-11-33. Please pay 1,200 by Friday."],
    ["incident", "The login service returned status code 50311 for 214 users."],
    ["wifi", "The guest wifi is LakeHouse, password: hunter-Lake-42. See you Saturday!"],
  ])("is none in a warning or in other codes, which become a task: %s", async (subject, body) => {
    const mail = { from: "ines@nord.example", subject, body, createTasks: "every" };
    const { body: stored } = await api.post("/api/emails", mail);
    expect(stored.signIn).toBeNull();
    expect((await api.get(`/api/tasks?emailId=${stored.id}`)).body.data).toHaveLength(1);
  });

  it("is of the past when it is imported", async () => {
    const mail = { from: "noreply@shop.example", subject: MAILS.code[0], body: MAILS.code[1], source: "import" };
    const { body } = await api.post("/api/emails", mail);
    expect(body.signIn).toEqual({ kind: "code", code: CODE, expiresAt: body.receivedAt });
  });

  it("is none in an order, a bill, a booking or a letter of a person", async () => {
    for (const [from, subject, body] of [
      ["orders@shop.example", "Order 482913", "Your order number is 482913. Sign in to follow it."],
      ["ann@home.example", "Door", "The code for the door is 4821, see you at 7."],
    ]) {
      expect((await api.post("/api/emails", { from, subject, body })).body.signIn).toBeNull();
    }
  });

  it("is exported as it is, and forwarded by a person as it is", async () => {
    const person = await signedInPerson("owner");
    const email = await receive();
    const { text } = await api.get("/api/settings/data/export", { token: person.token });
    expect(text).toContain(MAILS.code[1].split("\n")[2]);
    const draft = await api.post("/api/emails/drafts", { forwardOf: email.id, to: ["me@example.org"] });
    expect(draft.body.subject).toContain(CODE);
    expect((await api.get(`/api/emails/${email.id}/raw`)).text).toContain(CODE);
    expect((await api.get(`/api/emails/${email.id}/frame`)).text).toContain(CODE);
  });
});

describe("programs, agents and models", () => {
  const secrets = new RegExp(`${CODE}|${TOKEN}`);

  it("get a sentence instead of subject and text, with an API key", async () => {
    const person = await signedInPerson();
    const [email, link] = [await receive(), await receive("link")];
    const token = await keyOf(person, ["emails:read", "emails:write", "tasks:read", "tasks:write"]);
    const { body: seen } = await api.get(`/api/emails/${email.id}`, { token });
    expect(seen).toMatchObject({
      subject: "Sign-in code (withheld)",
      html: null,
      signIn: { kind: "code", code: null },
    });
    expect(seen.body).toMatch(WITHHELD);
    expect(seen.snippet).toMatch(WITHHELD);
    const paths = ["", "/thread", "/frame", "/ai-analysis"].flatMap((path) => [
      `/api/emails/${email.id}${path}`,
      `/api/emails/${link.id}${path}`,
    ]);
    for (const path of [...paths, "/api/emails", "/api/emails/threads", "/api/emails?tag=x&q=bank"]) {
      expect((await api.get(path, { token })).text, path).not.toMatch(secrets);
    }
    expectProblem(await api.get(`/api/emails/${email.id}/raw`, { token }), 403, "forbidden");
    const changed = await api.patch(`/api/emails/${email.id}`, { isRead: true }, { token });
    expect(changed.text).not.toMatch(secrets);
    const rule = { match: "all", conditions: [{ field: "body", op: "contains", value: CODE }] };
    const preview = await api.post("/api/emails/rules/preview", rule, { token });
    expect(preview.body).toMatchObject({ matched: 0, examined: 2 });
  });

  it("see none of it in the copy that a person forwards, which leaves with its whole text", async () => {
    const person = await signedInPerson();
    const sent: unknown[] = [];
    const EMAIL = { send: async (mail: unknown) => void sent.push(mail) } as unknown as SendEmail;
    const mailing = service({ EMAIL, MAIL_FROM: "me@example.org" });
    const email = await receive();
    const forward = { to: ["partner@example.org"], body: "Here it is." };
    const { body, status } = await mailing.post(`/api/emails/${email.id}/forward`, forward, { token: person.token });
    expect(status).toBe(201);
    expect(JSON.stringify(sent)).toContain(CODE);
    const token = await keyOf(person, ["emails:read"]);
    expect((await api.get(`/api/emails/${body.id}`, { token })).text).not.toMatch(secrets);
  });

  it("learn no part of it from rules, at arrival or over stored emails, which still match its plain words", async () => {
    const person = await signedInPerson();
    const token = await keyOf(person, ["emails:read", "emails:write"]);
    const condition = (value: string) => ({ field: value === "8" ? "subject" : "body", op: "contains", value });
    const rules = [];
    for (const value of ["8", CODE.slice(0, 2), CODE, TOKEN.slice(0, 3), "bank.example/reset", "sign-in code"]) {
      const rule = {
        name: value,
        match: "all",
        conditions: [condition(value)],
        actions: { addTags: [`has-${value}`] },
      };
      const { body } = await api.post("/api/emails/rules", rule, { token });
      rules.push({ id: body.id, value });
    }
    const ids = [(await receive()).id, (await receive("link")).id];
    const tags = async () => {
      const all = await Promise.all(ids.map((id) => api.get(`/api/emails/${id}`)));
      return all.flatMap(({ body }) => body.tags.filter((tag: string) => tag.startsWith("has-")));
    };
    expect(await tags()).toEqual(["has-sign-in code"]);
    for (const { id, value } of rules) {
      await api.post(`/api/emails/rules/${id}/apply`, undefined, { token });
      await deliverQueue();
      const { body } = await api.get(`/api/emails/rules/${id}`, { token });
      expect([value, body.run]).toEqual([
        value,
        expect.objectContaining({ matched: value === "sign-in code" ? 1 : 0 }),
      ]);
    }
    expect(await tags()).toEqual(["has-sign-in code"]);
  });

  it("neither read nor send it in drafts of a person, also after the email is deleted or sending is cancelled", async () => {
    const person = await signedInPerson("owner");
    const sent: unknown[] = [];
    const EMAIL = { send: async (mail: unknown) => void sent.push(mail) } as unknown as SendEmail;
    const mailing = service({ EMAIL, MAIL_FROM: "me@example.org" });
    const token = await keyOf(person, ["emails:read", "emails:write"]);
    const tenant = await newTenant();
    const email = await receive();
    const own = { token: person.token };
    const quoted = `> your sign-in code is ${CODE}.`;
    const drafts = [
      await mailing.post("/api/emails/drafts", { inReplyTo: email.id, body: quoted }, own),
      await mailing.post("/api/emails/drafts", { forwardOf: email.id, to: ["me@example.org"] }, own),
    ];
    for (const { body: draft } of drafts) {
      expect(draft.subject).toContain(CODE);
      const path = `/api/emails/drafts/${draft.id}`;
      expect((await mailing.get(path, { token })).body).toMatchObject({
        subject: "Sign-in code (withheld)",
        html: null,
      });
      expectProblem(await mailing.post(`${path}/send`, {}, { token }), 403, "forbidden");
      await tenant.says({ tools: [{ name: "send_mail", input: { id: draft.id } }] }, { text: "Done." });
      const chat = await tenant.client.post("/api/ai/chat", { message: "look after the draft to the bank" });
      expect(chat.text).not.toMatch(secrets);
    }
    expect((await mailing.get("/api/emails/drafts", { token })).text).not.toMatch(secrets);
    expect((await mailing.get("/api/emails/drafts", own)).text).toMatch(secrets);
    expect((await mailing.get("/api/settings/data/export", own)).text).toContain(quoted);
    await tenant.says({ tools: [{ name: "delete_draft", input: { id: drafts[1]?.body.id } }] }, { text: "Done." });
    const deleted = await tenant.client.post("/api/ai/chat", { message: "look after the draft to the bank" });
    const undone = await tenant.client.post(`/api/ai/chat/actions/${deleted.body.actions[0].id}/undo`);
    expect(deleted.text + undone.text).not.toMatch(secrets);
    expect((await mailing.get(`/api/emails/drafts?emailId=${email.id}`, own)).body.data).toHaveLength(2);
    expect((await mailing.get("/api/emails/drafts", { token })).text).not.toMatch(secrets);
    expect(JSON.stringify(await tenant.requests())).not.toMatch(secrets);
    expect(sent).toEqual([]);
    await api.delete(`/api/emails/${email.id}`);
    const later = { sendAt: new Date(Date.now() + 86_400_000).toISOString(), to: ["ann@example.org"] };
    const reply = drafts[0]?.body;
    await mailing.patch(`/api/emails/drafts/${reply.id}`, later, own);
    const scheduled = await mailing.post(`/api/emails/drafts/${reply.id}/send`, {}, own);
    expect(scheduled.text).toContain(quoted);
    expect((await mailing.get(`/api/emails/${scheduled.body.id}`, { token })).text).not.toMatch(secrets);
    const cancelled = await mailing.post(`/api/emails/${scheduled.body.id}/cancel-send`, {}, { token });
    expect(cancelled.text).not.toMatch(secrets);
    expect((await mailing.get(`/api/emails/drafts/${cancelled.body.id}`, own)).body.body).toContain(CODE);
    expect((await mailing.get(`/api/emails/drafts/${cancelled.body.id}`, { token })).text).not.toMatch(secrets);
  });

  it("plant no draft that answers or forwards it, and change none of a person, in any field", async () => {
    const person = await signedInPerson("owner");
    const sent: unknown[] = [];
    const EMAIL = { send: async (mail: unknown) => void sent.push(mail) } as unknown as SendEmail;
    const mailing = service({ EMAIL, MAIL_FROM: "me@example.org" });
    const token = await keyOf(person, ["emails:read", "emails:write"]);
    const own = { token: person.token };
    const email = await receive();
    const { id, messageId } = email;
    const letter = { to: ["thief@example.net"], subject: "Lunch", body: "See below." };
    for (const [path, body] of [
      ["/api/emails/drafts", { ...letter, forwardOf: id }],
      ["/api/emails/drafts", { ...letter, forwardOf: id, quote: false, includeAttachments: false }],
      ["/api/emails/drafts", { ...letter, inReplyTo: id }],
      ["/api/emails/drafts", { ...letter, inReplyTo: id, quote: false }],
      ["/api/emails/send", { ...letter, inReplyTo: id }],
      ["/api/emails/send", { ...letter, inReplyTo: messageId }],
      [`/api/emails/${id}/reply`, { body: "ok" }],
      [`/api/emails/${id}/reply`, { body: "ok", quote: false }],
      [`/api/emails/${id}/forward`, letter],
    ] as const) {
      const refused = await mailing.post(path, body, { token });
      expectProblem(refused, 403, "forbidden");
      expect(refused.body.detail).toMatch(/Only a person can answer or forward it/);
    }
    expect((await mailing.get(`/api/emails/drafts?emailId=${id}`, own)).body.data).toEqual([]);
    const { body: draft } = await mailing.post("/api/emails/drafts", { forwardOf: id, to: ["me@example.org"] }, own);
    const path = `/api/emails/drafts/${draft.id}`;
    const { body: file } = await mailing.call("POST", "/api/emails/attachments?name=a.txt", {
      raw: "text",
      headers: { "content-type": "application/octet-stream" },
      token,
    });
    const changes = { ...letter, cc: [], bcc: ["thief@example.net"], html: "<p>hi</p>", quote: true, signature: false };
    const all = { ...changes, sendAt: "2030-01-01", identityId: null, attachmentIds: [file.id] };
    for (const [name, value] of Object.entries(all)) {
      expectProblem(await mailing.patch(path, { [name]: value }, { token }), 403, "forbidden");
    }
    expectProblem(await mailing.patch(path, { cc: [] }, { token, headers: { "if-match": '"9"' } }), 403, "forbidden");
    expect((await mailing.get(path, own)).body).toEqual(draft);
    expect((await mailing.patch(path, { to: ["ann@example.org"] }, own)).status).toBe(200);
    expect(sent).toEqual([]);
  });

  it("get no file of it: neither its name nor its content, in the email, a draft or a copy", async () => {
    const person = await signedInPerson("owner");
    const token = await keyOf(person, ["emails:read", "emails:write"]);
    const id = `sign-in-${crypto.randomUUID()}`;
    const head = "From: Bank <noreply@bank.example>\nTo: hello@example.com\nSubject: Your sign-in code";
    const file = `Content-Type: text/plain; name="code-${CODE}.txt"\nContent-Disposition: attachment; filename="code-${CODE}.txt"\n\n${TOKEN}`;
    const parts = `--x\nContent-Type: text/plain\n\n${MAILS.code[1]}\n--x\n${file}\n--x--\n`;
    const mime = `Message-ID: <${id}>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x`;
    expect(await deliver(`${head}\n${mime}\n\n${parts}`, { to: `${id}@example.com` })).toBeNull();
    const own = { token: person.token };
    const { body: found } = await api.get(`/api/emails?tag=${id}`, own);
    const path = `/api/emails/${found.data[0].id}`;
    expect((await api.get(`${path}/attachments/1`, own)).text).toContain(TOKEN);
    expect((await api.get(`${path}/attachments`, own)).body.data).toHaveLength(1);
    const { body: draft } = await api.post("/api/emails/drafts", { forwardOf: found.data[0].id }, own);
    expect(draft.attachments).toHaveLength(1);
    expectProblem(await api.get(`${path}/attachments/1`, { token }), 403, "forbidden");
    expect((await api.get(`${path}/attachments`, { token })).body.data).toEqual([]);
    expect((await api.get(`/api/emails/drafts/${draft.id}`, { token })).body.attachments).toEqual([]);
    for (const place of [path, "/api/emails", "/api/emails/threads", "/api/emails/drafts", `${path}/thread`]) {
      expect((await api.get(place, { token })).text, place).not.toMatch(secrets);
    }
    const search = await api.get(`/api/emails?q=${encodeURIComponent("filename:code")}`, { token });
    expect(search.body.data).toEqual([]);
    const mcp = agent(await keyOf(person));
    expect(JSON.stringify(await mcp.done("read_mail", { id: found.data[0].id }))).not.toMatch(secrets);
  });

  it("find none by its words, letter by letter or whole, while a person does", async () => {
    const person = await signedInPerson();
    await receive();
    await receive("link");
    const token = await keyOf(person, ["emails:read"]);
    for (const q of [
      "8",
      CODE,
      "sign-in",
      "subject:8",
      "reset",
      TOKEN.slice(0, 3),
      "bank -nothing",
      `(${CODE} OR is:starred)`,
      `-(nothing OR is:starred)`,
      `from:bank ${CODE}`,
    ]) {
      for (const path of ["/api/emails", "/api/emails/threads"]) {
        const { body } = await api.get(`${path}?q=${encodeURIComponent(q)}`, { token });
        expect([q, body.data]).toEqual([q, []]);
      }
    }
    for (const q of ["from:bank", "from:bank is:unread", "(from:bank OR is:starred)"]) {
      const { body } = await api.get(`/api/emails?q=${encodeURIComponent(q)}`, { token });
      expect([q, body.data.map(({ signIn }: { signIn: { code: null } }) => signIn.code)]).toEqual([q, [null, null]]);
    }
    expect((await api.get(`/api/emails?q=${CODE}`)).body.data).toHaveLength(1);
    expect((await api.get("/api/emails?q=reset", { token: person.token })).body.data).toHaveLength(1);
  });

  it("see none of it over MCP", async () => {
    const person = await signedInPerson();
    const [email, link] = [await receive(), await receive("link")];
    const mcp = agent(await keyOf(person));
    const answers = [];
    for (const { id } of [email, link]) {
      answers.push(await mcp.done("read_mail", { id }), await mcp.done("fetch", { id: `mail:${id}` }));
      const reply = await mcp.tool("propose_reply", { emailId: id, body: "ok" });
      expect(JSON.stringify(reply)).toMatch(/Only a person can answer or forward it/);
      answers.push(reply);
      answers.push(await mcp.tool("update_mail", { id, isStarred: true }));
    }
    answers.push(await mcp.done("find_mail", {}), await mcp.done("daily_brief", {}));
    const found = await mcp.done("find_mail", { query: CODE });
    expect(found.mails).toEqual([]);
    expect((await mcp.done("search", { query: "bank" })).results).toEqual([]);
    expect(JSON.stringify(answers)).not.toMatch(secrets);
    expect(JSON.stringify(answers[0])).toMatch(WITHHELD);
  });

  it("see none of it in webhooks", async () => {
    const webhook = await newWebhook(["email.received", "email.analyzed", "email.updated"]);
    const email = await receive();
    await api.patch(`/api/emails/${email.id}`, { isRead: true });
    await deliverQueue();
    const events = await webhook.events();
    expect(events.map(({ type }) => type).sort()).toEqual(["email.analyzed", "email.received", "email.updated"]);
    expect(JSON.stringify(events)).not.toMatch(secrets);
    expect(events[0].data).toMatchObject({ signIn: { kind: "code", code: null }, subject: "Sign-in code (withheld)" });
  });

  it("see none of it in the brief, which does not count it as urgent", async () => {
    await receive();
    const mail = { from: "noreply@bank.example", subject: `URGENT: ${MAILS.code[0]}`, body: MAILS.code[1] };
    await api.post("/api/emails", mail);
    const brief = await dailyBrief({ ...systemCtx(), now: new Date() }, { timeZone: "UTC" });
    expect(brief.urgentEmails).toEqual({ count: 0, emails: [] });
    expect(JSON.stringify(brief)).not.toMatch(secrets);
  });

  it("get no prompt with it: not at arrival, not for an analysis, a reply or a text that is sent with the request", async () => {
    const tenant = await newTenant();
    const id = `sign-in-${crypto.randomUUID()}`;
    await deliver(raw("code", id), { to: `${id}@example.com`, vars: tenant.vars });
    await deliverQueue({ vars: tenant.vars });
    const { body } = await tenant.client.get(`/api/emails?tag=${id}`);
    const [{ id: emailId }] = body.data;
    const content = MAILS.code[1];
    const pasted = { content, subject: MAILS.code[0], from: "noreply@bank.example" };
    for (const answer of [
      await tenant.client.post(`/api/emails/${emailId}/ai-analysis`),
      await tenant.client.post("/api/ai/email-intelligence", { emailId }),
      await tenant.client.post("/api/ai/email-intelligence", pasted),
      await tenant.client.post("/api/workflow/email-response", { emailId, instructions: "Say thanks." }),
      await tenant.client.post("/api/workflow/email-response", pasted),
    ]) {
      expect(answer.body.engine).toMatchObject({ kind: "builtin", fallbackReason: null });
    }
    expect(await tenant.requests()).toEqual([]);
  });

  it("see none of it in the chat, with a model and without", async () => {
    const email = await receive();
    for (const message of ["show my newest email", "what does the email from Bank say?", "any urgent emails?"]) {
      expect((await api.post("/api/ai/chat", { message })).text).not.toMatch(secrets);
    }
    for (const message of ["find the email from Bank", `find emails with ${CODE}`]) {
      const { body, text } = await api.post("/api/ai/chat", { message });
      expect([message, body.reply]).toEqual([
        message,
        expect.stringMatching(/Bank.*Sign-in code \(withheld\)|Sign-in code \(withheld\).*Bank/s),
      ]);
      expect(text.replaceAll(message, "")).not.toMatch(secrets);
    }
    const tenant = await newTenant();
    await tenant.says({ tools: [{ name: "read_mail", input: { id: email.id } }] }, { text: "There is a code." });
    const { text } = await tenant.client.post("/api/ai/chat", { message: "please look through what Bank sent me" });
    expect(text).not.toMatch(secrets);
    const requests = JSON.stringify(await tenant.requests());
    expect(requests).toMatch(WITHHELD);
    expect(requests).not.toMatch(secrets);
  });
});
