import { describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, insertCheapPerson, openSession } from "../auth/people.ts";
import { storeMail } from "../emails/new-mail.ts";
import { expectProblem, service } from "../harness.ts";
import { ownStore } from "./tenant.ts";

const vars = { KV: ownStore() };
const api = service(vars);
const closed = service({ ...vars, ACCESS_MODE: "private" });
const TEXT = "Your appointment is confirmed for Tuesday at 3pm. Please send the signed contract.";

async function keyWith(...scopes: Scope[]): Promise<string> {
  const { token } = await openSession((await insertCheapPerson()).id);
  return (await createApiKey(await contextFor(token), { name: "one", scopes, expiresAt: null })).key;
}

describe.each([
  ["/api/ai/email-intelligence", "ai:use", 200],
  ["/api/workflow/email-response", "ai:use", 200],
  ["/api/calendar/events/from-email", "calendar:write", 201],
] as const)("%s in private mode", (path, scope, status) => {
  it("reads a stored mail only for a key that may read mail", async () => {
    const mail = await storeMail(api, "secret", { subject: "Merger", body: TEXT });
    const blind = await keyWith(scope);
    expectProblem(await closed.post(path, { emailId: mail.id }, { token: blind }), 403, "insufficient_scope");
    // Neither does it tell which mails there are.
    expectProblem(await closed.post(path, { emailId: 2 ** 40 }, { token: blind }), 403, "insufficient_scope");
    const reader = await keyWith(scope, "emails:read");
    expect((await closed.post(path, { emailId: mail.id }, { token: reader })).status).toBe(status);
  });

  it("takes a text from a key that may not read mail", async () => {
    const body = { content: TEXT, subject: crypto.randomUUID() };
    expect((await closed.post(path, body, { token: await keyWith(scope) })).status).toBe(status);
  });
});
