import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { insertCheapPerson, openSession } from "../auth/people.ts";
import { service } from "../harness.ts";
import { INSIDE_ADDRESSES } from "../inside-addresses.ts";

/** Every endpoint that takes an address which the service will call or point at, as production has it. */
const client = service({ ALLOW_PRIVATE_HOSTS: "false" });

const ENTRIES: Record<string, { path: string; member: string; body: (address: string) => object }> = {
  "the website of an audit": {
    path: "/api/workflow/digital-audit",
    member: "website",
    body: (website) => ({ website }),
  },
  "a webhook": {
    path: "/api/settings/webhooks",
    member: "url",
    body: (url) => ({ url, events: ["task.created"] }),
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
};

let token: string;
beforeAll(async () => {
  const { id } = await insertCheapPerson();
  await env.DB.prepare("UPDATE users SET role = 'owner' WHERE id = ?").bind(id).run();
  token = (await openSession(id)).token;
});

describe.each(Object.entries(ENTRIES))("%s", (_, { path, member, body }) => {
  it("is never an address inside, in any spelling", async () => {
    const answers = await Promise.all(INSIDE_ADDRESSES.map((address) => client.post(path, body(address), { token })));
    for (const [index, answer] of answers.entries()) {
      expect(answer.status, INSIDE_ADDRESSES[index]).toBe(422);
      const wanted = [{ path: member, message: expect.stringMatching(/^must /) }];
      expect(answer.body.errors, INSIDE_ADDRESSES[index]).toEqual(wanted);
    }
  });
});
