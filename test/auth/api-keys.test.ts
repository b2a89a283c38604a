import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApiKey, revokeApiKey } from "../../src/features/api-keys/service.ts";
import { isApiKey, makeApiKey } from "../../src/lib/api-key.ts";
import { expectProblem, service } from "../harness.ts";
import { auditActions, authenticated, contextFor, countRows, registerPerson, setClock } from "./people.ts";

afterEach(() => void vi.useRealTimers());

async function personWithKey(expiresAt: Date | null = null) {
  const person = await registerPerson();
  const ctx = await contextFor(person.token);
  const { id, key } = await createApiKey(ctx, { name: "automation", scopes: ["tasks:read"], expiresAt });
  return { person, ctx, id, key };
}

describe("an API key", () => {
  it("stands for its user with its scopes, and leaves a trace in the audit log", async () => {
    const { person, ctx, id, key } = await personWithKey();
    expect(await authenticated(ctx, key)).toMatchObject({
      kind: "api_key",
      user: { id: person.id },
      key: { id, scopes: ["tasks:read"] },
    });
    expect(await auditActions(person.id)).toContain("api_key.created");
  });

  it("is kept only as a hash", async () => {
    const { key, id } = await personWithKey();
    const row = await env.DB.prepare("SELECT * FROM api_keys WHERE id = ?").bind(id).first();
    expect(JSON.stringify(row)).not.toContain(key.slice(4));
  });

  it("does not reach account endpoints", async () => {
    const { key } = await personWithKey();
    expectProblem(await service().get("/api/auth/me", { token: key }), 403, "forbidden");
  });

  it("stops at once when it is revoked", async () => {
    const { ctx, id, key, person } = await personWithKey();
    await revokeApiKey(ctx, id, undefined);
    await expect(authenticated(ctx, key)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await auditActions(person.id)).toContain("api_key.revoked");
  });

  it("of another user cannot be revoked, and nothing is written", async () => {
    const [mine, theirs] = [await personWithKey(), await personWithKey()];
    await expect(revokeApiKey(mine.ctx, theirs.id, undefined)).rejects.toMatchObject({ code: "not_found" });
    expect(await auditActions(mine.person.id)).not.toContain("api_key.revoked");
    expect(await authenticated(theirs.ctx, theirs.key)).toMatchObject({ kind: "api_key" });
  });

  it("stops when its time is over", async () => {
    const { key, person } = await personWithKey(new Date(Date.now() + 60_000));
    setClock(Date.now() + 61_000);
    const ctx = await contextFor(person.token);
    await expect(authenticated(ctx, key)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("ends with its user", async () => {
    const { key, ctx, person } = await personWithKey();
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(person.id).run();
    expect(await countRows("api_keys", "user_id = ?", person.id)).toBe(0);
    await expect(authenticated(ctx, key)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("that is mistyped is known as such by its checksum", () => {
    const key = makeApiKey();
    expect(isApiKey(key)).toBe(true);
    for (let at = 4; at < key.length; at += 5) {
      const other = key[at] === "a" ? "b" : "a";
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), `changed at ${at}`).toBe(false);
    }
  });
});
