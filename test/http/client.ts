import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Env } from "../../src/config.ts";
import type { Account, Actor, Context, Credential, Role } from "../../src/context.ts";
import { createServer } from "../../src/http/server.ts";
import { AppError } from "../../src/lib/errors.ts";
import { type Client, service } from "../harness.ts";
import { router } from "./sample.ts";

const NOW = new Date();
const SESSION = { id: "s1", createdAt: NOW, expiresAt: NOW, provedAt: NOW };
const OWNER = account(1, "owner");
const MEMBER = account(2, "member");

function account(id: number, role: Role): Account {
  const email = `${role}@example.com`;
  return {
    id,
    role,
    email,
    name: role,
    emailVerified: true,
    twoFactorEnabled: false,
    habits: null,
    timeZone: "UTC",
    createdAt: NOW,
  };
}

/** Tokens that say what they are: `owner`, `member`, `key:tasks:read`, `member-key:admin`, `expired`, `revoked`. */
function actorOf(credential: string): Actor {
  if (credential === "owner") return { kind: "session", user: OWNER, session: SESSION };
  if (credential === "member") return { kind: "session", user: MEMBER, session: SESSION };
  if (credential === "expired") throw new AppError("token_expired");
  if (credential === "revoked") throw new AppError("session_revoked");
  if (credential === "broken") throw new Error("the database is gone");
  const [kind, ...scope] = credential.split(":");
  const key = { id: 1, scopes: [scope.join(":")] };
  if (kind === "key") return { kind: "api_key", user: OWNER, key };
  if (kind === "member-key") return { kind: "api_key", user: MEMBER, key };
  throw new AppError("unauthenticated", "The token is not one of ours.");
}

function isAllowed(actor: Actor, scopes: readonly string[]): boolean {
  return (
    actor.kind === "session" || (actor.kind === "api_key" && scopes.some((scope) => actor.key.scopes.includes(scope)))
  );
}

async function readCredential(_ctx: Context, bearer: string): Promise<Credential> {
  return {
    kind: bearer.includes("key") ? "api_key" : "session",
    id: bearer,
    select: (db) => db.$client.prepare("SELECT 1"),
    identify: () => ({ actor: actorOf(bearer), facts: [] }),
    isValid: (scopes) => ({ sql: isAllowed(actorOf(bearer), scopes) ? "1" : "0", values: [] }),
  };
}

export const app = createServer({
  version: "1.2.3",
  readCredential,
  reauthenticate: async () => ({}),
  features: [{ tag: "Notes", routes: router }],
  tags: [{ name: "Notes", description: "Notes, for the tests." }],
});

/** A client of the sample service. */
export function sample(vars: Partial<Env> = {}): Client {
  return service(vars, app);
}

/** Sends the request as it is, for calls that no declaration describes. */
export async function send(path: string, init: RequestInit = {}, vars: Partial<Env> = {}): Promise<Response> {
  const execution = createExecutionContext();
  const response = await app.fetch(new Request(`http://poa.test${path}`, init), { ...env, ...vars }, execution);
  const whole = new Response(response.body && (await response.arrayBuffer()), response);
  await waitOnExecutionContext(execution);
  return whole;
}

/** A folder no other test uses, so that tests never see each other's notes. */
export function newFolder(): string {
  return `folder-${crypto.randomUUID()}`;
}

export async function newNote(client: Client, folder = newFolder(), title = "Milk") {
  return (await client.post("/api/notes", { folder, title })).body;
}

export async function countNotes(folder: string): Promise<number> {
  const count = await env.DB.prepare("SELECT count(*) AS n FROM sample_notes WHERE folder = ?")
    .bind(folder)
    .first<number>("n");
  return count ?? 0;
}

/** The body in small pieces and without a declared length, as a chunked upload arrives. */
export function chunked(bytes: number): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(64 * 1024).fill(0x20);
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(piece.subarray(0, Math.min(left, piece.length)));
      left -= piece.length;
    },
  });
}
