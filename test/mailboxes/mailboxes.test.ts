import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { authOf } from "../../src/features/mailboxes/secrets.ts";
import { auditActions, openSession, PASSWORD, signedInPerson } from "../auth/people.ts";
import { expectProblem, service, systemCtx } from "../harness.ts";
import { fakeServers, MAILBOX_PASSWORD } from "./fake-servers.ts";

const PATH = "/api/settings/mailboxes";
const client = service({ ALLOW_PRIVATE_HOSTS: "false" });

let servers: ReturnType<typeof fakeServers>;
let owner: Awaited<ReturnType<typeof signedInPerson>>;
beforeEach(async () => {
  await env.DB.prepare("DELETE FROM mailboxes").run();
  servers = fakeServers();
  owner = await signedInPerson("owner");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare("DELETE FROM mailboxes").run();
});

const token = () => ({ token: owner.token });
const newMailbox = (more: object = {}) => ({ address: "Ada@GMail.com", password: MAILBOX_PASSWORD, ...more });
const connect = async (more: object = {}) => {
  const { status, body, text } = await client.post(PATH, newMailbox(more), token());
  expect(status, text).toBe(201);
  return body;
};
const own = {
  address: "ada@example.org",
  imap: { host: "imap.example.org", port: 993 },
  smtp: { host: "smtp.example.org", port: 587 },
};
const stored = () => env.DB.prepare("SELECT * FROM mailboxes").all<Record<string, unknown>>();
const count = async (table: string) =>
  (await env.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<{ n: number }>())?.n;

describe("the presets", () => {
  it("name servers, and say where the password is made and what cannot be connected", async () => {
    const { body } = await client.get(`${PATH}/presets`, token());
    const byId = (id: string) => body.data.find((each: { id: string }) => each.id === id);
    expect(byId("gmail")).toMatchObject({
      canConnect: true,
      servers: { imap: { host: "imap.gmail.com", port: 993, tls: "implicit" } },
    });
    expect(byId("icloud").servers.smtp).toEqual({ host: "smtp.mail.me.com", port: 587, tls: "starttls" });
    expect(byId("outlook")).toMatchObject({ canConnect: false, servers: null });
    expect(byId("outlook").advice).toContain("OAuth");
    const domains = body.data.flatMap((each: { domains: string[] }) => each.domains);
    expect(new Set(domains).size).toBe(domains.length);
  });
});

describe("a test of a mailbox", () => {
  it("logs in to both servers, says which folders would be used, and saves nothing", async () => {
    const { body } = await client.post(`${PATH}/test`, newMailbox(), token());
    expect(body.imap).toMatchObject({ ok: true, step: null, reason: null, capabilities: ["IDLE", "MOVE"] });
    expect(body.imap.folders).toContainEqual({ name: "Gesendet", role: "sent" });
    expect(body.imap.folders).toContainEqual({ name: "Müll", role: null });
    expect(body.smtp).toMatchObject({ ok: true, maxSize: 35_000_000 });
    expect(servers.logins).toEqual(["imap imap.gmail.com:993 implicit", "smtp smtp.gmail.com:465 implicit"]);
    expect(servers.open).toBe(0);
    expect(await count("mailboxes")).toBe(0);
  });

  it("does not try a refused password at the other server", async () => {
    const { body } = await client.post(`${PATH}/test`, newMailbox({ password: "wrong-mailbox-password" }), token());
    expect(body.imap).toMatchObject({ ok: false, step: "login", code: "mailbox_auth_failed" });
    expect(body.smtp).toMatchObject({ ok: false, step: null, code: null });
    expect(body.smtp.reason).toContain("Not tried");
    expect(servers.logins).toHaveLength(1);
  });

  it("says of each server what is wrong", async () => {
    servers.faults = { smtp: "mailbox_tls_failed" };
    const { body } = await client.post(`${PATH}/test`, newMailbox(), token());
    expect(body.imap.ok).toBe(true);
    expect(body.smtp).toMatchObject({ ok: false, step: "connect", code: "mailbox_tls_failed" });
  });

  it("needs servers where the provider is not known", async () => {
    const { body } = await client.post(`${PATH}/test`, newMailbox({ address: "ada@example.org" }), token());
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(["imap", "smtp"]);
    const outlook = await client.post(`${PATH}/test`, newMailbox({ address: "ada@hotmail.com" }), token());
    expectProblem(outlook, 422, "validation_failed");
    expect(outlook.body.detail).toContain("OAuth");
    expect(servers.logins).toEqual([]);
  });

  it.each([
    ["imap", { host: "imap.example.org", port: 25 }, "imap.port"],
    ["imap", { host: "imap.example.org", port: 465 }, "imap.port"],
    ["smtp", { host: "smtp.example.org", port: 25 }, "smtp.port"],
    ["imap", { host: "localhost", port: 993 }, "imap.host"],
    ["imap", { host: "10.0.0.1", port: 993 }, "imap.host"],
    ["smtp", { host: "mail.internal", port: 465 }, "smtp.host"],
    ["smtp", { host: "smtp.example.org/x", port: 465 }, "smtp.host"],
    ["smtp", { host: "a@b.example.org", port: 465 }, "smtp.host"],
  ])("refuses the %s server %j", async (kind, server, path) => {
    const answer = await client.post(`${PATH}/test`, newMailbox({ ...own, [kind]: server }), token());
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toBe(path);
    expect(servers.logins).toEqual([]);
  });

  it("may reach private hosts in local work only", async () => {
    const local = service({ ALLOW_PRIVATE_HOSTS: "true" });
    const server = { host: "localhost", port: 10_993, tls: "starttls" };
    const { status } = await local.post(`${PATH}/test`, newMailbox({ ...own, imap: server, smtp: server }), token());
    expect(status).toBe(200);
    expect(servers.logins[0]).toBe("imap localhost:10993 starttls");
  });
});

describe("connecting a mailbox", () => {
  it("saves it with the folders, and never shows the password", async () => {
    const mailbox = await connect({ label: "Private", name: "Ada" });
    expect(mailbox).toMatchObject({
      address: "ada@gmail.com",
      username: "ada@gmail.com",
      ...{ label: "Private", name: "Ada", status: "connected", reason: null, paused: false, historyDays: 30 },
      walk: { done: 0, waiting: 0 },
      lastRun: null,
      version: 1,
    });
    expect(mailbox.nextTryAt).not.toBeNull();
    const answers = [
      await client.get(PATH, token()),
      await client.get(`${PATH}/${mailbox.id}`, token()),
      await client.get(`${PATH}/${mailbox.id}/folders`, token()),
      await client.get("/api/settings/data/export", token()),
    ];
    for (const text of [
      JSON.stringify(mailbox),
      JSON.stringify((await stored()).results),
      ...answers.map((a) => a.text),
    ]) {
      expect(text).not.toContain(MAILBOX_PASSWORD);
    }
    expect(JSON.parse(answers[3]?.text ?? "").data.mailboxes).toMatchObject([{ address: "ada@gmail.com" }]);
    expect(answers[3]?.text).not.toContain(String((await stored()).results[0]?.secret));
    const folders = answers[2]?.body.data;
    expect(folders.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
      ["Archiv", "archive"],
      ["Gesendet", "sent"],
      ["INBOX", "inbox"],
      ["Müll", null],
      ["Papierkorb", "trash"],
      ["Rechnungen", null],
    ]);
    expect(await auditActions(owner.id)).toContain("mailbox.connected");
  });

  it("seals the password for this mailbox alone", async () => {
    const { id } = await connect();
    const { results } = await stored();
    const [row] = results;
    const ctx = systemCtx();
    const secret = String(row?.secret);
    const open = (mailboxId: number) => authOf(ctx, { id: mailboxId, username: "ada@gmail.com", secret });
    expect(await open(id)).toEqual({ kind: "password", username: "ada@gmail.com", password: MAILBOX_PASSWORD });
    await expect(open(id + 1)).rejects.toThrow("ENCRYPTION_KEY");
  });

  it("is sealed again when ENCRYPTION_KEY is rotated, and works with the new key alone", async () => {
    const { id } = await connect();
    const NEW = { ENCRYPTION_KEY: "rotated-encryption-key-0123456789-abcd" };
    const during = service({ ...NEW, ENCRYPTION_KEY_PREVIOUS: env.ENCRYPTION_KEY });
    const { body } = await during.post("/api/service/rotate", { after: "mailboxes.0" }, token());
    expect(body.values).toEqual([{ kind: "mailboxes", resealed: 1, alreadyCurrent: 0, waiting: 0, unreadable: 0 }]);
    const secret = String((await stored()).results[0]?.secret);
    const opened = await authOf(systemCtx(NEW), { id, username: "ada@gmail.com", secret });
    expect(opened).toMatchObject({ password: MAILBOX_PASSWORD });
  });

  it("uses Gmail's folder of all messages as the archive", async () => {
    servers.folders = servers.folders.map((each) => (each.role === "archive" ? { ...each, role: "all" } : each));
    const { id } = await connect();
    const { body } = await client.get(`${PATH}/${id}/folders`, token());
    expect(body.data.find(({ name }: { name: string }) => name === "Archiv").role).toBe("archive");
  });

  it("saves nothing when a server refuses the password", async () => {
    const answer = await client.post(PATH, newMailbox({ password: "wrong-mailbox-password" }), token());
    expectProblem(answer, 422, "mailbox_auth_failed");
    expect(answer.body.errors).toEqual([{ path: "password", message: "was refused by imap.gmail.com" }]);
    expect(answer.body.detail).toContain("Invalid credentials");
    servers.faults = { smtp: "mailbox_auth_failed" };
    const sending = await client.post(PATH, newMailbox(), token());
    expectProblem(sending, 422, "mailbox_auth_failed");
    expect(sending.body.errors[0].message).toContain("smtp.gmail.com");
    expect(await count("mailboxes")).toBe(0);
    expect(await count("mailbox_folders WHERE mailbox_id NOT IN (SELECT id FROM mailboxes)")).toBe(0);
  });

  it("saves it as unverified while a server cannot be reached", async () => {
    servers.faults = { imap: "mailbox_unreachable" };
    const mailbox = await connect();
    expect(mailbox).toMatchObject({ status: "unverified", code: "mailbox_unreachable", connectedAt: null });
    expect(mailbox.reason).toBe("Receiving: imap.gmail.com does not answer.");
    expect(mailbox.nextTryAt).not.toBeNull();
    servers.faults = { smtp: "mailbox_tls_failed" };
    const other = await connect(own);
    expect(other).toMatchObject({ status: "unverified", code: "mailbox_tls_failed" });
    expect(other.reason).toContain("Sending: ");
  });

  it("refuses an address and a label that are there, before it logs in", async () => {
    await connect({ label: "Private" });
    servers.logins = [];
    expectProblem(await client.post(PATH, newMailbox(), token()), 409, "conflict");
    const taken = await client.post(PATH, newMailbox({ ...own, label: "PRIVATE" }), token());
    expect(taken.body.errors).toEqual([{ path: "label", message: "is the label of another mailbox" }]);
    expectProblem(await client.post(PATH, newMailbox({ ...own, label: "12" }), token()), 422, "validation_failed");
    expect(servers.logins).toEqual([]);
  });

  it("stores one of two that are connected at the same moment, and says so", async () => {
    const answers = await Promise.all([
      client.post(PATH, newMailbox(), token()),
      client.post(PATH, newMailbox(), token()),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await count("mailboxes")).toBe(1);
  });

  it("repeats its answer for a repeated Idempotency-Key without another login", async () => {
    const options = { ...token(), headers: { "Idempotency-Key": crypto.randomUUID() } };
    const first = await client.post(PATH, newMailbox(), options);
    const again = await client.post(PATH, newMailbox(), options);
    expect(again.body).toEqual(first.body);
    expect(servers.logins).toHaveLength(2);
  });

  it("is for the owner who has confirmed the password", async () => {
    const member = await signedInPerson();
    expectProblem(await client.post(PATH, newMailbox(), { token: member.token }), 403, "forbidden");
    expectProblem(await client.get(PATH, { token: member.token }), 403, "forbidden");
    expectProblem(await client.get(PATH), 401, "unauthenticated");
    const later = await openSession(owner.id);
    await env.DB.prepare("UPDATE sessions SET proved_at = 0 WHERE user_id = ?").bind(owner.id).run();
    const asked = await client.post(PATH, newMailbox(), { token: later.token });
    expectProblem(asked, 403, "reauthentication_required");
    expect(servers.logins).toEqual([]);
    const proved = await client.post(PATH, newMailbox({ currentPassword: PASSWORD }), { token: later.token });
    expect(proved.status).toBe(201);
  });
});

describe("changing a mailbox", () => {
  it("needs no password for its label, a pause and its history", async () => {
    const { id } = await connect();
    await env.DB.prepare("UPDATE sessions SET proved_at = 0 WHERE user_id = ?").bind(owner.id).run();
    const { body } = await client.patch(`${PATH}/${id}`, { label: "Old", paused: true, historyDays: 90 }, token());
    expect(body).toMatchObject({ label: "Old", paused: true, historyDays: 90, nextTryAt: null, version: 2 });
    const resumed = await client.patch(`${PATH}/${id}`, { paused: false }, token());
    expect(resumed.body.nextTryAt).not.toBeNull();
    expectProblem(await client.patch(`${PATH}/${id}`, {}, token()), 422, "nothing_to_update");
    expect(servers.logins).toHaveLength(2);
  });

  it.each([
    { username: "mallory@gmail.com" },
    { imap: { host: "imap.evil.example", port: 993 } },
    { imap: { host: "imap.gmail.com", port: 143 } },
    { smtp: { host: "smtp.evil.example", port: 465 } },
    { smtp: { host: "smtp.gmail.com", port: 587 } },
  ])("needs the mailbox's password with %j", async (change) => {
    const { id } = await connect();
    const answer = await client.patch(`${PATH}/${id}`, change, token());
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toBe("password");
    expect(servers.logins).toHaveLength(2);
    // The same as before is no change.
    const same = { username: "ada@gmail.com", imap: { host: "imap.gmail.com", port: 993 } };
    expect((await client.patch(`${PATH}/${id}`, same, token())).status).toBe(200);
  });

  it("checks a new password, and keeps the old one if it is refused", async () => {
    const { id } = await connect();
    await env.DB.prepare("UPDATE mailboxes SET status = 'auth_failed', next_try_at = NULL, failures = 3").run();
    const secret = async () => (await stored()).results[0]?.secret;
    const before = await secret();
    const refused = await client.patch(`${PATH}/${id}`, { password: "wrong-mailbox-password" }, token());
    expectProblem(refused, 422, "mailbox_auth_failed");
    expect(await secret()).toBe(before);
    // Resuming alone does not try a refused password again.
    const resumed = await client.patch(`${PATH}/${id}`, { paused: false }, token());
    expect(resumed.body).toMatchObject({ status: "auth_failed", nextTryAt: null });
    servers.password = "a-new-app-password";
    const { body } = await client.patch(`${PATH}/${id}`, { password: "a-new-app-password" }, token());
    expect(body).toMatchObject({ status: "connected", reason: null });
    expect(body.nextTryAt).not.toBeNull();
    expect(await secret()).not.toBe(before);
  });

  it("wants the person's password for a new connection", async () => {
    const { id } = await connect();
    await env.DB.prepare("UPDATE sessions SET proved_at = 0 WHERE user_id = ?").bind(owner.id).run();
    const answer = await client.patch(`${PATH}/${id}`, { password: MAILBOX_PASSWORD }, token());
    expectProblem(answer, 403, "reauthentication_required");
  });

  it("begins anew with another mailbox, and keeps its place with another port", async () => {
    const { id } = await connect();
    await env.DB.prepare("UPDATE mailbox_folders SET uid_validity = 7, next_uid = 12").run();
    const state = async () =>
      (await env.DB.prepare("SELECT uid_validity AS v FROM mailbox_folders WHERE role = 'inbox'").all()).results;
    const port = { password: MAILBOX_PASSWORD, imap: { host: "imap.gmail.com", port: 143 } };
    expect((await client.patch(`${PATH}/${id}`, port, token())).body.imap.tls).toBe("starttls");
    expect(await state()).toEqual([{ v: 7 }]);
    await client.patch(`${PATH}/${id}`, { password: MAILBOX_PASSWORD, username: "ada.l@gmail.com" }, token());
    expect(await state()).toEqual([{ v: null }]);
  });

  it("of two at the same moment does not mix them", async () => {
    const { id } = await connect();
    servers.meanwhile = async () => {
      servers.meanwhile = async () => {};
      await env.DB.prepare("UPDATE mailboxes SET connection_changed_at = 5, version = version + 1").run();
    };
    const answer = await client.patch(`${PATH}/${id}`, { password: MAILBOX_PASSWORD }, token());
    expectProblem(answer, 412, "version_conflict");
    const old = { ...token(), headers: { "If-Match": '"1"' } };
    expectProblem(await client.patch(`${PATH}/${id}`, { label: "Late" }, old), 412, "version_conflict");
    expectProblem(await client.delete(`${PATH}/${id}`, old), 412, "version_conflict");
    expectProblem(await client.patch(`${PATH}/${id + 1}`, { label: "None" }, token()), 404, "not_found");
  });
});

describe("the health of the service", () => {
  it("tells of a mailbox that was not read for hours, by its id, until it is paused", async () => {
    const { id } = await connect();
    const health = async () => (await client.get("/api/health/details", token())).body;
    expect((await health()).mailboxes).toMatchObject({ ok: true, connected: 1, failing: [] });
    const set = (status: string, lastOk: number) =>
      env.DB.prepare("UPDATE mailboxes SET status = ?, last_ok_at = ?").bind(status, lastOk).run();
    await set("auth_failed", Date.now() - 5 * 3_600_000);
    expect((await health()).mailboxes).toMatchObject({ ok: true, failing: [{ id, status: "auth_failed" }] });
    await set("auth_failed", Date.now() - 7 * 3_600_000);
    const failing = await health();
    expect(failing.mailboxes.ok).toBe(false);
    const problem = failing.problems.find(({ code }: { code: string }) => code === "mailbox_failing");
    expect(problem).toMatchObject({ subject: String(id) });
    expect(problem.detail).not.toContain("ada@");
    await client.patch(`${PATH}/${id}`, { paused: true }, token());
    expect((await health()).mailboxes).toMatchObject({ ok: true, failing: [] });
  });
});

describe("the folders", () => {
  it("have roles that a person can choose, and a chosen role stays", async () => {
    const { id } = await connect();
    const path = `${PATH}/${id}/folders`;
    const idOf = async (name: string) =>
      (await client.get(path, token())).body.data.find((each: { name: string }) => each.name === name).id;
    const [invoices, archive] = [await idOf("Rechnungen"), await idOf("Archiv")];
    const { body } = await client.patch(path, { folders: [{ id: invoices, role: "archive" }] }, token());
    const roleOf = (name: string) => body.data.find((each: { name: string }) => each.name === name);
    expect(roleOf("Rechnungen")).toMatchObject({ role: "archive", roleIsChosen: true });
    expect(roleOf("Archiv")).toMatchObject({ role: null, roleIsChosen: true });
    // Read again.
    await client.patch(`${PATH}/${id}`, { password: MAILBOX_PASSWORD }, token());
    const again = await client.get(path, token());
    expect(again.body.data).toEqual(body.data);
    const twice = [
      { id: invoices, role: "inbox" },
      { id: archive, role: "inbox" },
    ];
    expectProblem(await client.patch(path, { folders: twice }, token()), 422, "validation_failed");
    const unknown = { folders: [{ id: 1_000_000, role: "inbox" }] };
    expectProblem(await client.patch(path, unknown, token()), 422, "validation_failed");
    expectProblem(await client.get(`${PATH}/${id + 1}/folders`, token()), 404, "not_found");
  });
});

describe("a connected mailbox and its emails", () => {
  const storeEmail = async (subject: string, receivedAt: string) =>
    (await client.post("/api/emails", { from: "ann@example.com", subject, body: "Hello", receivedAt }, token())).body;

  async function withEmails() {
    const { id } = await connect({ label: "Private" });
    const [first, second, other] = [
      await storeEmail("Mapped one", "2026-11-01T08:00:00Z"),
      await storeEmail("Mapped two", "2026-11-02T08:00:00Z"),
      await storeEmail("Another way", "2026-11-03T08:00:00Z"),
    ];
    const map = (email: { id: number }, role: string, uid: number) =>
      env.DB.prepare(`INSERT INTO mailbox_messages (folder_id, uid, mailbox_id, email_id, received_at, seen, flagged)
        SELECT f.id, ?, f.mailbox_id, e.id, e.received_at, 0, 0 FROM mailbox_folders f, emails e
        WHERE f.mailbox_id = ? AND f.role = ? AND e.id = ?`).bind(uid, id, role, email.id);
    await env.DB.batch([map(first, "inbox", 1), map(second, "inbox", 2), map(second, "sent", 1)]);
    return { id, first, second, other };
  }

  it("are listed and found by it, and say where they are", async () => {
    const { id, first, second } = await withEmails();
    const ids = async (query: string) =>
      (await client.get(`/api/emails?${query}`, token())).body.data.map((email: { id: number }) => email.id);
    expect(await ids(`mailboxId=${id}`)).toEqual([second.id, first.id]);
    expect(await ids(`mailboxId=${id}&status=inbox&unread=true`)).toEqual([second.id, first.id]);
    expect(await ids(`mailboxId=${id}&limit=1`)).toEqual([second.id]);
    expect(await ids(`mailboxId=${id + 1}`)).toEqual([]);
    for (const q of [
      "mailbox:private",
      "mailbox:ada@gmail.com",
      'mailbox:"Private" mapped',
      "mapped mailbox:PRIVATE",
    ]) {
      expect(await ids(`q=${encodeURIComponent(q)}`), q).toEqual([second.id, first.id]);
    }
    expect(await ids("q=mailbox:nowhere")).toEqual([]);
    expect(await ids(`q=${encodeURIComponent("subject:mapped -mailbox:private")}`)).toEqual([]);
    const page = await client.get(`/api/emails?mailboxId=${id}&limit=1`, token());
    expect(await ids(`mailboxId=${id}&limit=1&cursor=${page.body.nextCursor}`)).toEqual([first.id]);
    const threads = await client.get(`/api/emails/threads?mailboxId=${id}`, token());
    expect(threads.body.data).toHaveLength(2);
    const { body } = await client.get(`/api/emails/${second.id}`, token());
    expect(
      body.mailboxes.toSorted((a: { folder: string }, b: { folder: string }) => (a.folder < b.folder ? -1 : 1)),
    ).toEqual([
      { id, label: "Private", folder: "Gesendet" },
      { id, label: "Private", folder: "INBOX" },
    ]);
  });

  it("are owed to it when a person changes what it knows of them", async () => {
    const { id, first, other } = await withEmails();
    const dirty = async () =>
      (await env.DB.prepare("SELECT email_id AS email, mailbox_id AS mailbox FROM mailbox_dirty").all()).results;
    await client.patch(`/api/emails/${first.id}`, { tags: ["x"] }, token());
    await client.patch(`/api/emails/${other.id}`, { isRead: true }, token());
    expect(await dirty()).toEqual([]);
    await client.patch(`/api/emails/${first.id}`, { isRead: true }, token());
    await client.patch(`/api/emails/${first.id}`, { status: "archived", isStarred: true }, token());
    expect(await dirty()).toEqual([{ email: first.id, mailbox: id }]);
  });

  it("stay when it is forgotten, and its password, folders and mappings go", async () => {
    const { id, first } = await withEmails();
    await client.patch(`/api/emails/${first.id}`, { isRead: true }, token());
    expect((await client.delete(`${PATH}/${id}`, token())).status).toBe(204);
    expectProblem(await client.get(`${PATH}/${id}`, token()), 404, "not_found");
    for (const table of ["mailboxes", "mailbox_folders", "mailbox_messages", "mailbox_dirty"]) {
      expect(await count(table), table).toBe(0);
    }
    expect((await client.get(`/api/emails/${first.id}`, token())).body.mailboxes).toEqual([]);
    expect(await auditActions(owner.id)).toContain("mailbox.removed");
  });
});
