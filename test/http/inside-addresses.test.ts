import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { service } from "../harness.ts";
import { INSIDE_ADDRESSES } from "../inside-addresses.ts";

/** Every endpoint that takes an address which the service will call or point at, as production has it. */
const client = service({ ALLOW_PRIVATE_HOSTS: "false" });

interface Entry {
  path: string;
  member: string;
  body(address: string): object;
  /** What is there before an address of it is changed; its id takes the place of `{id}`. */
  changes?: { path: string; body: object };
}

const ENTRIES: Record<string, Entry> = {
  "the website of an audit": {
    path: "/api/workflow/digital-audit",
    member: "website",
    body: (website) => ({ website }),
  },
  "a webhook": {
    path: "/api/settings/webhooks",
    member: "url",
    body: (url) => ({ url, eventTypes: ["task.created"] }),
  },
  "the new address of a webhook": {
    path: "/api/settings/webhooks/{id}",
    member: "url",
    body: (url) => ({ url }),
    changes: { path: "/api/settings/webhooks", body: { url: "https://hooks.example.com/poa" } },
  },
  "the base address of a model": {
    path: "/api/api-keys",
    member: "baseUrl",
    body: (baseUrl) => ({ provider: "custom", key: "sk-inside-0123456789", baseUrl }),
  },
  "a picture that stands elsewhere": {
    path: "/api/settings/profile/avatar",
    member: "url",
    body: (url) => ({ url }),
  },
  "the Discord webhook of a stream": {
    path: "/api/stream/credentials",
    member: "webhookUrl",
    body: (webhookUrl) => ({ platform: "discord", webhookUrl }),
  },
  "the webhook of a stream": {
    path: "/api/stream/credentials",
    member: "url",
    body: (url) => ({ platform: "webhook", url }),
  },
  "the new Discord webhook of a stream": {
    path: "/api/stream/credentials/discord",
    member: "webhookUrl",
    body: (webhookUrl) => ({ webhookUrl }),
    changes: {
      path: "/api/stream/credentials",
      body: { platform: "discord", webhookUrl: "https://discord.com/api/webhooks/123456/abcdef-ABCDEF_1" },
    },
  },
  "the new address of a stream's webhook": {
    path: "/api/stream/credentials/webhook",
    member: "url",
    body: (url) => ({ url }),
    changes: {
      path: "/api/stream/credentials",
      body: { platform: "webhook", url: "https://hooks.example.com/captions" },
    },
  },
};

let token: string;
beforeAll(async () => {
  ({ token } = await signedInPerson("owner"));
});
// A credential left behind would make the jobs of later files call a platform that is not there.
afterAll(() => env.DB.exec("DELETE FROM stream_credentials"));

describe.each(Object.entries(ENTRIES))("%s", (_, { path, member, body, changes }) => {
  it("is never an address inside, in any spelling", async () => {
    const made = changes && (await client.post(changes.path, changes.body, { token }));
    if (made) expect(made.status).toBe(201);
    const answers = await Promise.all(
      INSIDE_ADDRESSES.map((address) =>
        client.call(changes ? "PATCH" : "POST", path.replace("{id}", made?.body.id), { body: body(address), token }),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      expect(answer.status, INSIDE_ADDRESSES[index]).toBe(422);
      const wanted = [{ path: member, message: expect.stringMatching(/^must /) }];
      expect(answer.body.errors, INSIDE_ADDRESSES[index]).toEqual(wanted);
    }
  });
});
