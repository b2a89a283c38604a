import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { countRows, newEmail } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { countStatements, measurePrice, passOn, watchDatabase } from "../measured.ts";
import { codeAt, mailbox, PASSWORD, type Person, signedInPerson } from "./people.ts";

/*
 * Walks every route under /api/settings, as the OpenAPI document lists them: a new area of the settings is held
 * to all of this from its first commit. Bodies are made from the document's own examples.
 */

interface Schema {
  $ref?: string;
  type?: string;
  example?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const { body: document } = await service().get("/api-docs");

/**
 * Only for the owner, and importing only into an empty service: test/transfers, test/emails/retention.test.ts,
 * test/mailboxes.
 */
const OWNERS = /^\/api\/settings\/(?:data\/(?:import|uploads)|retention|mailboxes)/;

const operations = Object.entries<Record<string, Operation>>(document.paths)
  .filter(([path]) => path.startsWith("/api/settings/") && !OWNERS.test(path))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
type Operated = (typeof operations)[number];
const nameOf = ({ method, path }: Operated) => `${method} ${path}`;
const named = (list: Operated[]) => list.map((each) => [nameOf(each), each] as const);

const isRead = ({ method }: Operated) => method === "GET";
const hasId = ({ path }: Operated) => path.includes("{");
/** Reads a page at a time for as long as it takes, rather than in one answer. */
const STREAMED = ["/api/settings/data/export"];

function exampleOf(given: Schema): unknown {
  const schema = given.$ref ? (document.components.schemas[given.$ref.split("/").at(-1) ?? ""] as Schema) : given;
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  const [first] = schema.allOf ?? schema.anyOf ?? [];
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(exampleOf));
  if (first) return exampleOf(first);
  if (schema.type === "array") return schema.items ? [exampleOf(schema.items)] : [];
  if (!schema.properties) return undefined;
  const required = schema.required ?? [];
  const names = Object.keys(schema.properties).filter((name) => required.length === 0 || required.includes(name));
  return Object.fromEntries(names.map((name) => [name, exampleOf(schema.properties?.[name] ?? {})]));
}

function bodyOf({ operation, path, method }: Operated, person: Person): unknown {
  const special = SPECIAL[`${method} ${path}`];
  if (special) return special(person);
  const schema = operation.requestBody?.content["application/json"]?.schema;
  const example = schema && exampleOf(schema);
  // The code of the examples is wrong.
  if (typeof example !== "object" || example === null) return example;
  const { code: _, ...body } = example as Record<string, unknown>;
  return Object.keys(body).length > 0 ? body : undefined;
}

const mail = mailbox();
/** Bodies that no example can foresee. */
const SPECIAL: Record<string, (person: Person) => unknown> = {
  "POST /api/settings/security/password": () => ({ currentPassword: PASSWORD, newPassword: "a brand new passphrase" }),
  // Nothing listens there: a test of the endpoint must not call anybody outside.
  "POST /api/settings/webhooks": () => ({ url: "http://127.0.0.1:9/hook" }),
  "POST /api/settings/profile/email": () => ({ email: newEmail("walk"), currentPassword: PASSWORD }),
  "POST /api/settings/profile/email/confirm": () => ({ token: mail.token() }),
  "DELETE /api/settings/account": ({ email }) => ({ confirm: email, currentPassword: PASSWORD }),
};

function send(each: Operated, path: string, person: Person, body = bodyOf(each, person), vars = {}) {
  return service({ ...mail.vars, ...vars }).call(each.method, path, {
    token: person.token,
    ...(body !== undefined && { raw: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
}

/** The path with the ids of this person's own records: made by the list's POST, or found in the list. */
async function pathFor(each: Operated, person: Person): Promise<string> {
  let path = "";
  for (const part of each.path.split("/").slice(1)) {
    path += `/${part.startsWith("{") ? await idIn(path, person) : part}`;
  }
  return path;
}

async function idIn(list: string, person: Person): Promise<string> {
  // Deliveries are made by sending something.
  if (list.endsWith("/deliveries")) await service().post(list.replace(/deliveries$/, "test"), undefined, person);
  const template = operations.find(({ method, path }) => method === "POST" && path === list);
  const made = template && (await send(template, list, person));
  if (made?.body?.id !== undefined) return String(made.body.id);
  const found = await service().get(list, { token: person.token });
  return String(found.body?.data?.[0]?.id ?? "999999999");
}

describe("another person's records", () => {
  const owned = operations.filter(hasId);
  const paths = new Map<Operated, string>();
  let [ann, eve]: Person[] = [];
  let before: unknown[];

  beforeAll(async () => {
    [ann, eve] = [await signedInPerson(), await signedInPerson()];
    for (const each of owned) paths.set(each, await pathFor(each, ann));
    before = await snapshot(ann);
  });

  it.each(named(owned))("%s answers as if they did not exist", async (_, each) => {
    if (!eve) throw new Error("nobody");
    expectProblem(await send(each, paths.get(each) ?? "", eve), 404, "not_found");
  });

  it("are left alone by all of this", async () => {
    if (!ann) throw new Error("nobody");
    expect(before.length).toBeGreaterThan(5);
    expect(await snapshot(ann)).toEqual(before);
  });

  it("would be found by their own person: the ids of the walk are real", async () => {
    const ann = await signedInPerson();
    const rename = operations.find((each) => nameOf(each) === "PATCH /api/settings/security/api-keys/{id}");
    if (!rename) throw new Error("no such route");
    expect((await send(rename, await pathFor(rename, ann), ann)).status).toBe(200);
  });

  /** Everything a person's lists show. */
  async function snapshot({ token }: Person): Promise<unknown[]> {
    const lists = operations.filter((each) => isRead(each) && !hasId(each) && !STREAMED.includes(each.path));
    const answers = [];
    for (const { path } of lists) {
      const { body } = await service().get(path, { token });
      if (body?.data) answers.push([path, body.data]);
    }
    return answers;
  }
});

describe("reading", () => {
  let person: Person;
  beforeAll(async () => {
    person = await signedInPerson();
    const picture = { url: "https://example.com/a.png" };
    await service().post("/api/settings/profile/avatar", picture, { token: person.token });
  });

  // An invoice is the billing provider's: there is none to read without one.
  // An export can be downloaded once it is finished.
  const unread = [...STREAMED, "/api/settings/billing/invoices/{id}", "/api/settings/data/exports/{id}/download"];
  it.each(named(operations.filter((each) => isRead(each) && !unread.includes(each.path))))(
    "%s costs at most two round trips to the database, the session check included",
    async (_, each) => {
      const path = await pathFor(each, person);
      const counted = countStatements(env.DB);
      const { status } = await service({ DB: counted.db }).get(path, { token: person.token });
      // A picture that stands elsewhere is pointed at.
      expect(status).toBe(each.path.endsWith("/avatar") ? 302 : 200);
      expect(counted.taken().roundTrips).toBeLessThanOrEqual(2);
    },
  );
});

describe("changing", () => {
  const audited: string[] = [];

  it.each(named(operations.filter((each) => !isRead(each))))(
    "%s is in the audit log when it succeeds",
    async (_, each) => {
      const person = await signedInPerson();
      await prepare(each, person);
      const path = await pathFor(each, person);
      const body = each.path.endsWith("/2fa/verify") ? { code: await codeAt(secret) } : bodyOf(each, person);
      const entries = () => countRows("audit_log", "user_id = ? OR actor = ?", person.id, `user:${person.id}`);
      const before = await entries();
      const answer = await send(each, path, person, body, { OWNER_EMAIL: person.email });
      if (answer.status >= 300) return void expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
      audited.push(nameOf(each));
      // An account takes its log along, but for the entry that it is gone.
      if (each.path === "/api/settings/account") expect(await entries()).toBe(1);
      else expect(await entries()).toBeGreaterThan(before);
    },
  );

  it.each(named(operations.filter((each) => !isRead(each))))(
    "%s writes nothing if its session ends right after it was checked",
    async (_, each) => {
      const person = await signedInPerson();
      await prepare(each, person);
      const path = await pathFor(each, person);
      const body = each.path.endsWith("/2fa/verify") ? { code: await codeAt(secret) } : bodyOf(each, person);
      mail.sent.length = 0;
      const priced = measurePrice(env.DB);
      let hasEnded = false;
      const DB = watchDatabase(priced.db, {
        async statement(...call) {
          const checked = await passOn(...call);
          if (!hasEnded) await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(person.id).run();
          hasEnded = true;
          return checked;
        },
        batch: (statements, send) => send(statements),
      });
      const answer = await send(each, path, person, body, { OWNER_EMAIL: person.email, DB });
      expect(hasEnded).toBe(true);
      expect(priced.taken().rowsWritten, answer.text).toBe(0);
      expect(mail.sent).toEqual([]);
      // What fails for another reason, such as a billing provider that is not there, gets to no write.
      if (audited.includes(nameOf(each))) {
        expect(["session_revoked", "reauthentication_required"]).toContain(answer.body.code);
      }
    },
  );

  let secret = "";
  async function prepare({ path, method }: Operated, person: Person): Promise<void> {
    const { token } = person;
    const client = service(mail.vars);
    mail.sent.length = 0;
    if (/2fa\/(verify|disable|backup-codes)$/.test(path)) {
      secret = (await client.post("/api/settings/security/2fa/setup", undefined, { token })).body.secret;
      if (!path.endsWith("verify")) {
        await client.post("/api/settings/security/2fa/verify", { code: await codeAt(secret) }, { token });
      }
    }
    if (`${method} ${path}` === "DELETE /api/settings/profile/email" || path.endsWith("/confirm")) {
      await client.post(
        "/api/settings/profile/email",
        { email: newEmail("walk"), currentPassword: PASSWORD },
        { token },
      );
    }
    // Only an agent and its person together make one: test/mcp/oauth.test.ts.
    if (path.includes("/connections/")) {
      await env.DB.prepare(
        `INSERT INTO oauth_grants (id, user_id, client_id, client_name, redirect_host, scopes, resource, rule,
          refresh_counter, rotated_at, created_at, last_used_at, expires_at)
        VALUES (?1, ?2, 'c', 'Desk', 'localhost', '["tasks:read"]', 'r', 'every_write', 0, ?3, ?3, ?3, ?3 + 60000)`,
      )
        .bind(crypto.randomUUID(), person.id, Date.now())
        .run();
    }
    if (`${method} ${path}` === "DELETE /api/settings/profile/avatar") {
      await client.post("/api/settings/profile/avatar", { url: "https://example.com/a.png" }, { token });
    }
  }

  it("was tried with success for every change that needs no billing provider", () => {
    const own = operations.filter((each) => !isRead(each) && !/billing|purchase/.test(each.path));
    expect(own.length).toBeGreaterThan(25);
    expect(own.map(nameOf).filter((name) => !audited.includes(name))).toEqual([]);
  });
});
