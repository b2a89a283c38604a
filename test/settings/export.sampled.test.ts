import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { exportData } from "../../src/features/personal-data/export.ts";
import { PERSONAL_DATA } from "../../src/features/personal-data/sections.ts";
import { contextFor } from "../auth/people.ts";
import { expectErrorLog, service, systemCtx } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { rarely } from "../sampled.ts";
import { codeAt, PASSWORD, signedInPerson, turnOnTwoFactor } from "./people.ts";

const client = service();
const PATH = "/api/settings/data/export";

describe("the export", () => {
  it("has everything of the person, and no secret", async () => {
    const person = await signedInPerson();
    const { token, id, email } = person;
    const { secret } = await turnOnTwoFactor(person);
    await client.patch("/api/settings/profile", { bio: "all of me", timeZone: "Europe/Paris" }, { token });
    const days = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] };
    await client.put("/api/settings/profile/working-hours", { days }, { token });
    const proof = { currentPassword: PASSWORD, code: await codeAt(secret) };
    const order = { name: "robot", scopes: ["tasks:read"], ...proof };
    const { key } = (await client.post("/api/settings/security/api-keys", order, { token })).body;
    const url = "http://127.0.0.1:9/hook";
    const webhook = { url, enabled: false };
    const { secret: signing } = (await client.post("/api/settings/webhooks", webhook, { token })).body;
    await client.post("/api/settings/tokens/alerts", { unit: "tokens", threshold: 77 }, { token });
    const { body, headers, text } = await client.get(PATH, { token });
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="poa-export-[\d-]+\.json"$/);
    expect(body).toMatchObject({
      complete: true,
      fault: null,
      data: {
        account: [{ id, email, twoFactorEnabled: true, timeZone: "Europe/Paris" }],
        profile: [{ bio: "all of me" }],
        notificationPreferences: [{ dailyBrief: false }],
        workingHours: [{ timeZone: "Europe/Paris", version: 2 }],
        sessions: [{ current: true }],
        apiKeys: [{ name: "robot", scopes: ["tasks:read"] }],
        webhooks: [{ url }],
        tokenAlerts: [{ threshold: 77 }],
      },
    });
    expect(body.data.auditLog.map(({ action }: { action: string }) => action)).toContain("profile.changed");
    expect(body.data.emails).toBeUndefined();
    const secrets = await env.DB.prepare(
      `SELECT u.password_hash, u.totp_secret, k.key_hash, w.secret FROM users u
        JOIN api_keys k ON k.user_id = u.id JOIN webhook_endpoints w ON w.user_id = u.id WHERE u.id = ?`,
    )
      .bind(id)
      .first<Record<string, string>>();
    for (const secret of [key, signing, ...Object.values(secrets ?? { none: "" })]) expect(text).not.toContain(secret);
  });

  it("goes on without a picture that the store has lost", async () => {
    const { token, id } = await signedInPerson();
    const raw = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const picture = { token, raw, headers: { "content-type": "image/png" } };
    await client.post("/api/settings/profile/avatar", undefined, picture);
    for (const { name } of (await env.KV.list({ prefix: `avatar:${id}:` })).keys) await env.KV.delete(name);
    const { body } = await client.get(PATH, { token });
    expect(body).toMatchObject({ complete: true, data: { profile: [{ avatar: null }] } });
  });

  it("has nothing of anybody else", async () => {
    const [ann, bob] = [await signedInPerson(), await signedInPerson()];
    await client.patch("/api/settings/profile", { bio: `secret of ${bob.email}` }, { token: bob.token });
    expect((await client.get(PATH, { token: ann.token })).text).not.toContain(bob.email);
  });

  it("has, for the owner, also mail, tasks and events, over many pages", async () => {
    const owner = await signedInPerson();
    const marker = crypto.randomUUID();
    for (let n = 0; n < 25; n++) {
      await client.post("/api/emails", {
        from: "ann@example.org",
        to: ["me@example.org"],
        subject: `${marker} ${n}`,
        body: "Hi",
      });
    }
    const known = `${marker}@example.org`;
    await client.post("/api/emails", { direction: "outbound", from: "me@example.org", to: known, body: "Hi" });
    await client.post("/api/tasks", { title: marker });
    await client.post("/api/calendar/events", { title: marker, start: "2031-01-01T10:00:00Z" });
    const { body } = await service({ OWNER_EMAIL: owner.email }).get(PATH, { token: owner.token });
    const mails = body.data.emails.filter(({ subject }: { subject: string }) => subject.startsWith(marker));
    expect(new Set(mails.map(({ id }: { id: number }) => id)).size).toBe(25);
    expect(mails[0].body).toBe("Hi");
    expect(body.data.tasks).toContainEqual(expect.objectContaining({ title: marker }));
    expect(body.data.events).toContainEqual(expect.objectContaining({ title: marker }));
    expect(body.data.knownSenders).toContainEqual(expect.objectContaining({ email: known }));
  });

  rarely(
    "of 50,000 emails stays far below the database's 1,000 statements, and of large ones within memory",
    async () => {
      const owner = await signedInPerson();
      const counted = countStatements(env.DB);
      const pagesOf = async () => {
        const ctx = systemCtx({ DB: counted.db });
        const sizes: { emails: number; bytes: number }[] = [];
        counted.taken();
        const emails = PERSONAL_DATA.find(({ name }) => name === "emails");
        for await (const page of emails?.pages?.(ctx) ?? []) {
          sizes.push({ emails: page.length, bytes: JSON.stringify(page).length });
        }
        return { sizes, statements: counted.taken().statements };
      };
      // The ids follow those of emails that earlier test files stored, however large: the numbers are in the Message-IDs.
      const fill = (from: number, count: number, body: string, to: object[] = []) =>
        env.DB.prepare(
          `INSERT INTO emails (message_id, thread_id, reference_ids, direction, source, kind, from_name, from_email,
          to_recipients, cc_recipients, subject, snippet, attachments, tags, status, is_read, is_starred, received_at,
          version, created_at, updated_at, body)
        WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1 + ?2)
        SELECT '<export-' || i || '>', 5000000, '[]', 'inbound', 'import', 'person', '', 'a@x.org', ?4, '[]', '', '',
          '[]', '[]', 'inbox', 1, 0, i, 1, 0, 0, ?3 FROM n`,
        )
          .bind(from, count, body, JSON.stringify(to))
          .run();
      const before = await pagesOf();
      const known = before.sizes.reduce((sum, { emails }) => sum + emails, 0);
      await fill(5_000_000, 5000, "Hello");
      const small = await pagesOf();
      expect(small.sizes.reduce((sum, { emails }) => sum + emails, 0)).toBe(known + 5000);
      // A tenth of the emails with a tenth of the statements.
      expect(small.statements - before.statements).toBeLessThanOrEqual(26);
      await fill(5_100_000, 9, "x".repeat(900_000));
      const large = await pagesOf();
      expect(large.sizes.reduce((sum, { emails }) => sum + emails, 0)).toBe(known + 5009);
      expect(Math.max(...large.sizes.map(({ bytes }) => bytes))).toBeLessThan(5_000_000);
      expect(large.statements - small.statements).toBeLessThanOrEqual(3);
      // Long lists of people count, too: a sender chooses them.
      await fill(5_200_000, 30, "", [{ name: "😀".repeat(100_000), email: "a@x.org" }]);
      const crowded = await pagesOf();
      expect(Math.max(...crowded.sizes.map(({ bytes }) => bytes))).toBeLessThan(5_000_000);
      await env.DB.prepare("DELETE FROM emails WHERE message_id LIKE '<export-52%'").run();
      const { body } = await service({ OWNER_EMAIL: owner.email }).get(PATH, { token: owner.token });
      expect(body.complete).toBe(true);
      expect(body.data.emails).toHaveLength(known + 5009);
      await env.DB.prepare("DELETE FROM emails WHERE message_id LIKE '<export-%'").run();
    },
  );

  it("has what was said to the assistant: one's own, and for the owner also what nobody signed", async () => {
    const [ann, bob] = [await signedInPerson(), await signedInPerson()];
    const marker = crypto.randomUUID();
    const say = (message: string, who = {}) => client.post("/api/ai/chat", { message: `${message} ${marker}` }, who);
    await say("remind me to feed ann's cat", { token: ann.token });
    await say("remind me to feed bob's dog", { token: bob.token });
    await say("remind me to feed nobody");
    const said = ({ body }: { body: { data: { chatMessages: { role: string; text: string }[] } } }) =>
      body.data.chatMessages
        .filter(({ role, text }) => role === "user" && text.includes(marker))
        .map(({ text }) => text);
    const annsExport = await client.get(PATH, { token: ann.token });
    expect(said(annsExport)).toEqual([`remind me to feed ann's cat ${marker}`]);
    expect(annsExport.body.data.conversations).toMatchObject([{ title: expect.stringContaining("ann's cat") }]);
    expect(annsExport.body.data.chatProposals).toEqual([]);
    expect(annsExport.body.data.aiKeys).toBeUndefined();
    const owners = await service({ OWNER_EMAIL: bob.email }).get(PATH, { token: bob.token });
    expect(said(owners).sort()).toEqual([
      `remind me to feed bob's dog ${marker}`,
      `remind me to feed nobody ${marker}`,
    ]);
    expect(owners.body.data.aiKeys).toContainEqual(expect.objectContaining({ keyId: "openai" }));
  });

  it("stays valid JSON when it breaks off half-way, keeps what it has, and says so", async () => {
    expectErrorLog("export_failed");
    const { token } = await signedInPerson();
    const ctx = await contextFor(token);
    const broken = {
      name: "broken",
      archive: { within: "account" },
      async *pages() {
        yield [{ n: 1 }, { n: 2 }];
        throw new Error("the database is gone");
      },
    };
    const stream = await exportData(ctx, [...PERSONAL_DATA.slice(0, 1), broken, ...PERSONAL_DATA.slice(1)]);
    const document = JSON.parse(await new Response(stream).text());
    expect(document).toMatchObject({
      complete: false,
      fault: expect.stringContaining("broken"),
      data: { account: [expect.anything()], broken: [{ n: 1 }, { n: 2 }] },
    });
    expect(document.data.sessions).toBeUndefined();
  });

  it("reads no further than the client takes it", async () => {
    const { token } = await signedInPerson();
    let pages = 0;
    const endless = {
      name: "endless",
      archive: { within: "account" },
      async *pages() {
        for (;;) {
          pages += 1;
          yield [{ pages }];
        }
      },
    };
    const reader = (await exportData(await contextFor(token), [endless])).getReader();
    for (let n = 0; n < 5; n++) await reader.read();
    await reader.cancel();
    expect(pages).toBeLessThan(10);
  });
});
