import { env } from "cloudflare:workers";
import { z } from "@hono/zod-openapi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TokenAlert } from "../../src/features/ai-models/tokens/schemas.ts";
import { ServiceAlert } from "../../src/features/alerts/schemas.ts";
import { SyncRun } from "../../src/features/bookings/schemas.ts";
import { Event } from "../../src/features/calendar/events/schemas.ts";
import { EmailSummary } from "../../src/features/emails/schemas.ts";
import { Reminder } from "../../src/features/reminders/schemas.ts";
import { Caption } from "../../src/features/stream/captions/schemas.ts";
import { Milestone } from "../../src/features/stream/milestones/schemas.ts";
import { StreamSession } from "../../src/features/stream/schemas.ts";
import { Task } from "../../src/features/tasks/schemas.ts";
import { exportWebhooks } from "../../src/features/webhooks/endpoints.ts";
import { EVENT_TYPES } from "../../src/features/webhooks/event-types.ts";
import { auditActions, contextFor, type Person, signedInPerson } from "../auth/people.ts";
import { expectProblem, service, takeLogs } from "../harness.ts";
import { newWebhook, removeWebhooks } from "./receiver.ts";

const PATH = "/api/settings/webhooks";
const strict = service({ ALLOW_PRIVATE_HOSTS: "false" });
const client = service();
let person: Person;
let token: string;

beforeAll(async () => {
  person = await signedInPerson();
  token = person.token;
});
afterAll(removeWebhooks);

/** Off, so that nothing is sent to a host outside. */
const HOOK = { url: "https://hooks.example.com/poa", enabled: false };

describe("a webhook", () => {
  it("is made with a secret that is shown this once and sealed at rest", async () => {
    const { status, body, headers } = await strict.post(
      PATH,
      { ...HOOK, description: " Tells our chat ", eventTypes: ["task.created", "task.created"] },
      { token },
    );
    expect(status).toBe(201);
    expect(headers.get("etag")).toBe('"1"');
    expect(body).toMatchObject({
      url: "https://hooks.example.com/poa",
      description: "Tells our chat",
      eventTypes: ["task.created"],
      enabled: false,
      disabledReason: null,
      failingSince: null,
      previousSecretUntil: null,
      version: 1,
    });
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    takeLogs();
    const answers = [
      await strict.get(PATH, { token }),
      await strict.get(`${PATH}/${body.id}`, { token }),
      await strict.patch(`${PATH}/${body.id}`, { description: null }, { token }),
      await strict.get(`${PATH}/${body.id}/deliveries`, { token }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(body.secret.slice(6));
    }
    expect(takeLogs().join("\n")).not.toContain(body.secret.slice(6));
    const row = await env.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?").bind(body.id).first();
    expect(JSON.stringify(row)).not.toContain(body.secret.slice(6));
    expect(row?.secret).toMatch(/^v2\./);
  });

  it("is not made twice for one Idempotency-Key, and its secret is not kept for the second answer", async () => {
    const options = { token, headers: { "idempotency-key": crypto.randomUUID() } };
    const first = await strict.post(PATH, HOOK, options);
    const second = await strict.post(PATH, HOOK, options);
    expect(first.body.secret).toMatch(/^whsec_/);
    expect(second.status).toBe(201);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(second.body).toEqual({ ...first.body, secret: null });
  });

  it("changes only at the version its writer has read", async () => {
    const { body } = await strict.post(PATH, HOOK, { token });
    const at = `${PATH}/${body.id}`;
    const changed = await strict.patch(
      at,
      { eventTypes: ["email.received"] },
      { token, headers: { "if-match": '"1"' } },
    );
    expect(changed.body).toMatchObject({ eventTypes: ["email.received"], version: 2, url: HOOK.url });
    expect(changed.headers.get("etag")).toBe('"2"');
    const stale = { token, headers: { "if-match": '"1"' } };
    expectProblem(await strict.patch(at, { description: "x" }, stale), 412, "version_conflict");
    expectProblem(await strict.post(`${at}/rotate-secret`, undefined, stale), 412, "version_conflict");
    expectProblem(await strict.delete(at, stale), 412, "version_conflict");
    expectProblem(await strict.patch(at, {}, { token }), 422, "nothing_to_update");
    expect((await strict.get(at, { token })).body.version).toBe(2);
    expect((await strict.delete(at, { token, headers: { "if-match": '"2"' } })).status).toBe(204);
    expectProblem(await strict.get(at, { token }), 404, "not_found");
  });

  it("is there for its owner only", async () => {
    const webhook = await newWebhook();
    const test = await client.post(`${webhook.at}/test`, undefined, { token: webhook.token });
    const stranger = { token };
    const { at } = webhook;
    const attempts = [
      await client.get(at, stranger),
      await client.patch(at, { enabled: false }, stranger),
      await client.delete(at, stranger),
      await client.post(`${at}/rotate-secret`, undefined, stranger),
      await client.post(`${at}/test`, undefined, stranger),
      await client.get(`${at}/deliveries`, stranger),
      await client.post(`${at}/deliveries/${test.body.id}/retry`, undefined, stranger),
    ];
    for (const attempt of attempts) expectProblem(attempt, 404, "not_found");
    const own = await newWebhook([], person);
    expectProblem(await own.retry(test.body.id), 404, "not_found");
    const { body } = await client.get(PATH, { token: webhook.token });
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([webhook.id]);
    expect(await webhook.received()).toHaveLength(1);
  });

  it("leaves a trace of every change in the audit log, and none of a refused one", async () => {
    const person = await signedInPerson();
    const { body } = await strict.post(PATH, HOOK, { token: person.token });
    const at = `${PATH}/${body.id}`;
    await strict.patch(at, { description: "x" }, { token: person.token });
    await strict.patch(at, { description: "y" }, { token: person.token, headers: { "if-match": '"1"' } });
    await strict.post(`${at}/rotate-secret`, undefined, { token: person.token });
    await strict.delete(at, { token: person.token });
    await strict.delete(at, { token: person.token });
    expect(await auditActions(person.id)).toEqual([
      "webhook.created",
      "webhook.updated",
      "webhook.secret_rotated",
      "webhook.deleted",
    ]);
  });

  it("is one of at most twenty, also when many are made at once", async () => {
    const person = await signedInPerson();
    const options = { token: person.token };
    const answers = await Promise.all(Array.from({ length: 23 }, () => strict.post(PATH, HOOK, options)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectProblem(answer, 409, "webhook_limit_reached");
    }
    const { body } = await strict.get(`${PATH}?limit=15`, options);
    const rest = await strict.get(`${PATH}?limit=15&cursor=${body.nextCursor}`, options);
    expect([body.data.length, rest.body.data.length, rest.body.nextCursor]).toEqual([15, 5, null]);
    const exported = await exportWebhooks(await contextFor(person.token));
    expect(exported).toHaveLength(20);
    expect(JSON.stringify(exported)).not.toMatch(/secret":"/);
  });
});

describe("the address of a webhook", () => {
  it.each([
    "http://hooks.example.com/poa",
    "ftp://hooks.example.com/poa",
    "https://127.0.0.1/poa",
    "https://2130706433/poa",
    "https://0x7f.1/poa",
    "https://0177.0.0.1/poa",
    "https://10.0.0.8/poa",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/poa",
    "https://[::ffff:127.0.0.1]/poa",
    "https://[fd00::1]/poa",
    "https://8.8.8.8/poa",
    "https://localhost/poa",
    "https://localhost./poa",
    "https://api.localhost/poa",
    "https://printer.local/poa",
    "https://db.internal/poa",
    "https://intranet/poa",
    "https://user:password@hooks.example.com/poa",
    "javascript:alert(1)",
    "hooks.example.com",
    "",
  ])("is refused when it is %s", async (url) => {
    const refused = await strict.post(PATH, { ...HOOK, url }, { token });
    expectProblem(refused, 422, "validation_failed");
    expect(refused.body.errors).toMatchObject([{ path: "url" }]);
  });

  it("is held to the same rules when it is changed", async () => {
    const { body } = await strict.post(PATH, HOOK, { token });
    const refused = await strict.patch(`${PATH}/${body.id}`, { url: "https://10.0.0.8/" }, { token });
    expectProblem(refused, 422, "validation_failed");
    expect((await strict.get(`${PATH}/${body.id}`, { token })).body).toMatchObject({ url: HOOK.url, version: 1 });
  });
});

describe("the event types", () => {
  it("are listed with examples that are what the API gives", async () => {
    const { body } = await client.get(`${PATH}/event-types`, { token });
    const schemas = {
      email: EmailSummary,
      task: Task,
      event: Event,
      sync: SyncRun,
      tokens: TokenAlert.extend({ userId: z.int() }),
      stream: StreamSession,
      caption: Caption,
      milestone: Milestone,
      service: ServiceAlert,
    };
    const deleted = z.object({ id: z.int(), deleted: z.literal(true) });
    const special: Record<string, z.ZodType> = {
      "task.deleted": deleted,
      "event.deleted": deleted,
      "task.due": Reminder,
      "event.starting": Reminder,
    };
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(Object.keys(EVENT_TYPES));
    for (const { type, example } of body.data) {
      const schema = special[type] ?? schemas[type.split(".")[0] as keyof typeof schemas];
      expect(schema.parse(example), type).toEqual(example);
    }
    expect(body.data.length).toBeGreaterThanOrEqual(9);
  });

  it("that are unknown cannot be asked for", async () => {
    const refused = await strict.post(PATH, { ...HOOK, eventTypes: ["email.vanished"] }, { token });
    expectProblem(refused, 422, "validation_failed");
  });
});
