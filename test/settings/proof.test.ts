import { describe, expect, it } from "vitest";
import { auditActions, countRows } from "../auth/people.ts";
import { type Answer, expectProblem, service } from "../harness.ts";
import { codeAt, mailbox, PASSWORD, type Person, signedInPerson, turnOnTwoFactor } from "./people.ts";

const mail = mailbox();
const client = service(mail.vars);
const SECURITY = "/api/settings/security";
const WRONG = "not the password";

type Send = (person: Person, proof: object) => Promise<Answer>;

/** Those that ask for the password however fresh the session is. */
const ALWAYS: Record<string, Send> = {
  "deleting the account": ({ token, email }, proof) =>
    client.call("DELETE", "/api/settings/account", { token, body: { confirm: email, ...proof } }),
  "creating an API key": ({ token }, proof) =>
    client.post(`${SECURITY}/api-keys`, { name: "robot", scopes: ["tasks:read"], ...proof }, { token }),
  "changing the email address": ({ token, id }, proof) =>
    client.post("/api/settings/profile/email", { email: `new-${id}@example.org`, ...proof }, { token }),
};

/** Those that a fresh session may do without a proof. */
const RECENT: Record<string, Send> = {
  "setting up two-factor authentication": ({ token }, proof) => client.post(`${SECURITY}/2fa/setup`, proof, { token }),
  "rotating an API key": async ({ token }, proof) => {
    const order = { name: "robot", scopes: ["tasks:read"], currentPassword: PASSWORD };
    const { body } = await client.post(`${SECURITY}/api-keys`, order, { token });
    return client.post(`${SECURITY}/api-keys/${body.id}/rotate`, proof, { token });
  },
};

/** What a refused request must leave as it was. */
async function effects({ id }: Person): Promise<unknown> {
  const rows = (table: string, where: string) => countRows(table, where, id);
  const done = (await auditActions(id)).filter((action) => !action.startsWith("session."));
  return [await rows("users", "id = ?"), await rows("mail_tokens", "user_id = ?"), done];
}

describe("a proof that is given must be right, however fresh the session", () => {
  it.each(Object.entries({ ...ALWAYS, ...RECENT }))(
    "%s with a wrong password does nothing, and counts",
    async (_, send) => {
      const person = await signedInPerson();
      expectProblem(await send(person, { currentPassword: WRONG }), 403, "reauthentication_required");
      const failed = (await auditActions(person.id)).filter((action) => action === "session.proof_failed");
      expect(failed).toHaveLength(1);
      expect(await countRows("login_failures", "email = ? AND network LIKE 'session:%'", person.email)).toBe(1);
      expect(await countRows("users", "id = ? AND totp_secret IS NULL", person.id)).toBe(1);
      expect(await countRows("api_keys", "user_id = ? AND rotated_at IS NOT NULL", person.id)).toBe(0);
    },
  );

  it("a code is wrong, too, where two-factor authentication is off", async () => {
    const { token } = await signedInPerson();
    const answer = await client.post(`${SECURITY}/2fa/setup`, { code: "123456" }, { token });
    expectProblem(answer, 403, "reauthentication_required");
  });

  it("each part that is given is checked with two-factor authentication on, and a code works once", async () => {
    const person = await signedInPerson();
    const { token } = person;
    const { secret } = await turnOnTwoFactor(person);
    const replace = (proof: object) => client.post(`${SECURITY}/2fa/backup-codes`, proof, { token });
    const code = await codeAt(secret);
    for (const wrong of [
      { currentPassword: WRONG },
      { code: "000000" },
      { currentPassword: PASSWORD, code: "000000" },
      { currentPassword: WRONG, code },
    ]) {
      expectProblem(await replace(wrong), 403, "reauthentication_required");
    }
    expect((await replace({})).status).toBe(200);
    expect((await replace({ currentPassword: PASSWORD })).status).toBe(200);
    expect((await replace({ code })).status).toBe(200);
    expectProblem(await replace({ code }), 403, "reauthentication_required");
  });

  it("many wrong ones at once lock the session, and ten at most learn that they were wrong", async () => {
    const person = await signedInPerson();
    const guesses = Array.from({ length: 14 }, (_, n) =>
      client.post(`${SECURITY}/2fa/setup`, { currentPassword: `guess ${n}` }, { token: person.token }),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});

describe("the password is always asked for", () => {
  it.each(Object.entries(ALWAYS))("%s needs it right after signing in", async (_, send) => {
    const person = await signedInPerson();
    const before = await effects(person);
    const refused = await send(person, {});
    expectProblem(refused, 403, "reauthentication_required");
    expect(refused.body.needs).toEqual(["currentPassword"]);
    expect(await effects(person)).toEqual(before);
    expect((await send(person, { currentPassword: PASSWORD })).status).toBeLessThan(300);
    expect(await effects(person)).not.toEqual(before);
  });

  it.each(Object.entries(ALWAYS))("%s needs a code as well with two-factor authentication on", async (_, send) => {
    const person = await signedInPerson();
    const { secret } = await turnOnTwoFactor(person);
    const before = await effects(person);
    for (const proof of [{ currentPassword: PASSWORD }, { code: await codeAt(secret) }]) {
      const refused = await send(person, proof);
      expectProblem(refused, 403, "reauthentication_required");
      expect(refused.body.needs).toEqual(["currentPassword", "code"]);
    }
    expect(await effects(person)).toEqual(before);
    expect((await send(person, { currentPassword: PASSWORD, code: await codeAt(secret) })).status).toBeLessThan(300);
  });

  it("the API reference says so", async () => {
    const { paths, components } = (await client.get("/api-docs")).body;
    const flat = (schema: { $ref?: string; allOf?: object[]; required?: string[] }): string[] => [
      ...(schema.$ref ? flat(components.schemas[schema.$ref.split("/").at(-1) ?? ""]) : []),
      ...(schema.allOf ?? []).flatMap(flat),
      ...(schema.required ?? []),
    ];
    for (const operation of [
      paths["/api/settings/account"].delete,
      paths["/api/settings/security/api-keys"].post,
      paths["/api/settings/profile/email"].post,
    ]) {
      expect(operation.description).toContain("even right after signing in");
      expect(flat(operation.requestBody.content["application/json"].schema)).toContain("currentPassword");
    }
  });
});
