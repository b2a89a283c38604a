import { describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, insertCheapPerson, openSession } from "../auth/people.ts";
import { storeMail } from "../emails/new-mail.ts";
import { expectProblem, service } from "../harness.ts";
import { ownStore } from "./tenant.ts";

const vars = { KV: ownStore() };
const api = service(vars);
const inMode = { open: api, private: service({ ...vars, ACCESS_MODE: "private" }) };
const TEXT = "Your appointment is confirmed for Tuesday at 3pm. Please send the signed contract.";

async function keyWith(...scopes: Scope[]): Promise<string> {
  const { token } = await openSession((await insertCheapPerson()).id);
  return (await createApiKey(await contextFor(token), { name: "one", scopes, expiresAt: null })).key;
}

describe.each([
  ["/api/ai/email-intelligence", "ai:use", 200],
  ["/api/workflow/email-response", "ai:use", 200],
  ["/api/calendar/events/from-email", "calendar:write", 201],
] as const)("%s", (path, scope, status) => {
  it.each(["open", "private"] as const)("in %s mode reads a stored mail only for a key that may", async (mode) => {
    const client = inMode[mode];
    const mail = await storeMail(api, "secret", { subject: "Merger", body: TEXT });
    const blind = await keyWith(scope);
    expectProblem(await client.post(path, { emailId: mail.id }, { token: blind }), 403, "insufficient_scope");
    // Neither does it tell which mails there are.
    expectProblem(await client.post(path, { emailId: 2 ** 40 }, { token: blind }), 403, "insufficient_scope");
    const reader = await keyWith(scope, "emails:read");
    expect((await client.post(path, { emailId: mail.id }, { token: reader })).status).toBe(status);
  });

  it.each(["open", "private"] as const)("in %s mode takes a text from a key that may not read mail", async (mode) => {
    const body = { content: TEXT, subject: crypto.randomUUID() };
    expect((await inMode[mode].post(path, body, { token: await keyWith(scope) })).status).toBe(status);
  });
});
