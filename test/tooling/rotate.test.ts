import { spawn } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./repository.ts";

/* `npm run rotate` as an operator runs it, against a service that answers as told. */

const none = { resealed: 0, alreadyCurrent: 0, waiting: 0, unreadable: 0 };
const passwords = { current: 2, previous: 0, unknown: 0 };

interface Asked {
  authorization: string | undefined;
  after: string | undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

async function run(answers: readonly { status?: number; body: object }[], env: Record<string, string> = {}) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const { after } = JSON.parse(await textOf(request));
    asked.push({ authorization: request.headers.authorization, after });
    const { status = 200, body } = answers[asked.length - 1] ?? { status: 500, body: {} };
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [join(root, "scripts", "rotate.ts"), "--url", url], {
    env: { ...process.env, POA_API_KEY: "poa_test", ...env },
  });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (told += part));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  await new Promise((resolve) => server.close(resolve));
  return { asked, told, code };
}

describe("npm run rotate", () => {
  it("repeats until a whole pass finds nothing to do, and says which secrets are no longer needed", async () => {
    const done = { values: [{ kind: "webhooks", ...none, alreadyCurrent: 5 }], passwords, next: null };
    const { asked, told, code } = await run([
      { body: { values: [{ kind: "webhooks", ...none, resealed: 2 }], passwords, next: "webhooks.100" } },
      { body: { values: [{ kind: "webhooks", ...none, resealed: 3 }], passwords, next: null } },
      { body: done },
    ]);
    expect(asked.map(({ after }) => after)).toEqual([undefined, "webhooks.100", undefined]);
    expect(asked[0]?.authorization).toBe("Bearer poa_test");
    expect(told).toContain("Encrypted again: 5 values.");
    expect(told).toContain("ENCRYPTION_KEY_PREVIOUS: no longer needed.");
    expect(told).toContain("PASSWORD_PEPPER_PREVIOUS: no longer needed.");
    expect(code).toBe(0);
  });

  it("says what still needs the previous secrets, and fails", async () => {
    const values = [{ kind: "ai_keys", ...none, waiting: 1, unreadable: 2 }];
    const { told, code } = await run([{ body: { values, passwords: { ...passwords, previous: 3 }, next: null } }]);
    expect(told).toContain("ENCRYPTION_KEY_PREVIOUS: still needed.");
    expect(told).toContain("PASSWORD_PEPPER_PREVIOUS: still needed for 3 passwords");
    expect(told).toContain("ai_keys: neither key decrypts 2 values");
    expect(code).toBe(1);
  });

  it("says why it could not run: no key, or the service's refusal", async () => {
    expect(await run([], { POA_API_KEY: "" })).toMatchObject({
      code: 1,
      told: expect.stringMatching(/Set POA_API_KEY/),
    });
    const refused = await run([{ status: 403, body: { code: "insufficient_scope" } }]);
    expect(refused).toMatchObject({ code: 1, told: expect.stringMatching(/403.*insufficient_scope/) });
    expect(refused.told).not.toContain("poa_test");
  });
});
