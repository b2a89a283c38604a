import { env } from "cloudflare:workers";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { SCOPES, type Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, type Person, signedInPerson } from "../auth/people.ts";
import { fakeMail } from "../emails/fake-mail.ts";
import { type Answer, service } from "../harness.ts";
import type { Call, Caller } from "./calls.ts";
import { PLANTED } from "./planted.ts";

/* A closed service that keeps the emails it sends, and its owner with API keys of whatever scopes. */

export const DATA_SCOPES = (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== "admin");

export interface Key {
  id: number;
  key: string;
}

const mail = fakeMail();
export const settings = { ACCESS_MODE: "private", EMAIL: mail.EMAIL, MAIL_FROM: "me@ours.example" } as const;

export async function scopedService() {
  const owner: Person = await signedInPerson("owner");
  const ctx = await contextFor(owner.token);
  const keys = new Map<string, Key>();

  async function keyFor(...scopes: Scope[]): Promise<Key> {
    const name = scopes.join(" ");
    const known = keys.get(name);
    if (known) return known;
    const made = await createApiKey(ctx, { name: name.slice(0, 60), scopes, expiresAt: null });
    // Otherwise its first use is noted, after the response.
    await env.DB.prepare("UPDATE api_keys SET last_used_at = ? WHERE id = ?").bind(Date.now(), made.id).run();
    keys.set(name, made);
    return made;
  }

  const callerOf = async (keyId: number | null): Promise<Caller> => ({
    userId: owner.id,
    keyId,
    token: (await keyFor("admin")).key,
  });

  return { owner, client: service(settings), keyFor, callerOf };
}

let sent = 0;

/** Sends a prepared request. Each comes from a network of its own, so that none meets a rate limit. */
export function send(
  client: Pick<ReturnType<typeof service>, "call">,
  method: string,
  { path, body, file, type = "application/octet-stream" }: Call,
  token: string,
): Promise<Answer> {
  sent += 1;
  const headers = {
    "cf-connecting-ip": `10.${sent >> 8}.${sent & 255}.1`,
    ...(file !== undefined && { "content-type": type }),
  };
  return client.call(method, path, { ...(file === undefined ? { body } : { raw: file }), headers, token });
}

export const sentEmails = mail.sent;

/** All that a client or another mail server gets. */
export function seen(answer: Answer): string {
  const letters = mail.sent
    .splice(0)
    .map(({ attachments = [], ...letter }) =>
      JSON.stringify([letter, attachments.map(({ content, ...file }) => [file, new TextDecoder().decode(content)])]),
    );
  return [answer.text, JSON.stringify([...answer.headers]), ...letters].join("\n");
}

/** How many records there are of the kinds that a scope does not write, and how often they were changed. */
export async function writtenBeside(scope: Scope): Promise<unknown[]> {
  const others = ["emails", "email_drafts", "tasks", "task_lists", "events", "captions"].filter(
    (table) => PLANTED[table]?.scope.split(":")[0] !== scope.split(":")[0],
  );
  const counts = others.map((table) =>
    env.DB.prepare(`SELECT '${table}' AS kind, count(*) AS n, total(version) AS v FROM ${table}`),
  );
  return (await env.DB.batch(counts)).flatMap(({ results }) => results);
}
