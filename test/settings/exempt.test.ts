import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { openSession } from "../auth/people.ts";
import { service } from "../harness.ts";
import { connected, oauth } from "../mcp/connecting.ts";
import { passOn, watchDatabase } from "../measured.ts";
import { expireReauthentication, newSubscription, type Person, signedInPerson } from "./people.ts";

/*
 * What repeats the value that is stored needs no password. The person may change that value in the meantime, and then the
 * request must not bring it back.
 */

const client = service();
const run = (sql: string, id: number) => env.DB.prepare(sql).bind(id).run();
const first = (sql: string, id: number) => env.DB.prepare(sql).bind(id).first();

/** A database on which `act` runs ahead of one of its calls. */
function interrupted(number: number, act: () => Promise<unknown>) {
  let calls = 0;
  const look = async () => {
    calls += 1;
    if (calls === number) await act();
  };
  const DB = watchDatabase(env.DB, {
    async statement(...call) {
      await look();
      return passOn(...call);
    },
    async batch(statements, send) {
      await look();
      return send(statements);
    },
  });
  return { DB, hasActed: () => calls >= number };
}

interface Case {
  /** The path, and what is sent to it. */
  begin(person: Person): Promise<{ method: string; path: string; body: object }>;
  /** What the person does meanwhile. */
  tighten: string;
  stored: string;
}

const CASES: Record<string, Case> = {
  "a webhook that was turned off": {
    async begin({ id }) {
      const { token } = await openSession(id);
      const { body } = await client.post("/api/settings/webhooks", { url: "https://a.example/x" }, { token });
      return { method: "PATCH", path: `/api/settings/webhooks/${body.id}`, body: { enabled: true } };
    },
    tighten: "UPDATE webhook_endpoints SET enabled = 0, version = version + 1 WHERE user_id = ?",
    stored: "SELECT enabled FROM webhook_endpoints WHERE user_id = ?",
  },
  "the address of a webhook": {
    async begin({ id }) {
      const { token } = await openSession(id);
      const { body } = await client.post("/api/settings/webhooks", { url: "https://a.example/x" }, { token });
      return { method: "PATCH", path: `/api/settings/webhooks/${body.id}`, body: { url: "https://a.example/x" } };
    },
    tighten: "UPDATE webhook_endpoints SET url = 'https://b.example/', version = version + 1 WHERE user_id = ?",
    stored: "SELECT url FROM webhook_endpoints WHERE user_id = ?",
  },
  "the reply address of an identity": {
    async begin({ id }) {
      const { token } = await openSession(id);
      const replyTo = { name: "", email: "desk@example.com" };
      const { body } = await client.post("/api/settings/identities", { name: "Desk", replyTo }, { token });
      return { method: "PATCH", path: `/api/settings/identities/${body.id}`, body: { replyTo } };
    },
    tighten: "UPDATE identities SET reply_to = NULL, version = version + 1 WHERE user_id = ?",
    stored: "SELECT reply_to FROM identities WHERE user_id = ?",
  },
  "the rule of a connection": {
    async begin(person) {
      await connected(oauth(), { person, proposals: "never" });
      const { body } = await client.get("/api/settings/security/connections", { token: person.token });
      const path = `/api/settings/security/connections/${body.data[0].id}`;
      return { method: "PATCH", path, body: { proposals: "never" } };
    },
    tighten: "UPDATE oauth_grants SET rule = 'every_write', version = version + 1 WHERE user_id = ?",
    stored: "SELECT rule FROM oauth_grants WHERE user_id = ?",
  },
  "a device that was removed": {
    async begin({ id, token }) {
      const body = await newSubscription(`exempt-${id}`);
      expect((await client.post("/api/settings/notifications/push", body, { token })).status).toBe(200);
      return { method: "POST", path: "/api/settings/notifications/push", body };
    },
    tighten: "DELETE FROM push_subscriptions WHERE user_id = ?",
    stored: "SELECT count(*) AS n FROM push_subscriptions WHERE user_id = ?",
  },
};

describe("a request without a password does not bring back", () => {
  it.each(Object.entries(CASES))("%s", async (_, { begin, tighten, stored }) => {
    const person = await signedInPerson();
    const { method, path, body } = await begin(person);
    await expireReauthentication(person.id);
    // Without a change it is let in.
    expect((await client.call(method, path, { token: person.token, body })).status).toBeLessThan(300);
    let calls = 0;
    for (let number = 1; ; number += 1) {
      const other = await signedInPerson();
      const own = await begin(other);
      await expireReauthentication(other.id);
      const { DB, hasActed } = interrupted(number, () => run(tighten, other.id));
      await service({ DB }).call(own.method, own.path, { token: other.token, body: own.body });
      if (!hasActed()) break;
      const after = await first(stored, other.id);
      await run(tighten, other.id);
      expect(after, `at call ${number}`).toEqual(await first(stored, other.id));
      calls += 1;
    }
    expect(calls).toBeGreaterThan(1);
  });
});
