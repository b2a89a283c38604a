import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { type Bundles, bundleWorker, runnable } from "./build.ts";
import { type Call, Client } from "./client.ts";
import { compare, type Speed } from "./compare.ts";
import type { Plan } from "./plan.ts";
import { compatibility, MAX_CONCURRENCY, SECRET_BINDINGS, withStage } from "./stage.ts";

/** The newest whose own dependencies can all be had. No dependency of the service: installed for the run only. */
const VERSION = "1.6.0";
const ACCOUNT = { email: "ada@example.com", password: "correct horse battery staple", name: "Ada Lovelace" };

export interface BetterAuth {
  version: string;
  signIn: Speed;
  sessionCheck: Speed;
}

const TABLES = [
  "CREATE TABLE user (id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, emailVerified INTEGER NOT NULL, image TEXT, createdAt DATE NOT NULL, updatedAt DATE NOT NULL)",
  "CREATE TABLE session (id TEXT PRIMARY KEY, expiresAt DATE NOT NULL, token TEXT NOT NULL UNIQUE, createdAt DATE NOT NULL, updatedAt DATE NOT NULL, ipAddress TEXT, userAgent TEXT, userId TEXT NOT NULL)",
  "CREATE INDEX session_user ON session (userId)",
  "CREATE TABLE account (id TEXT PRIMARY KEY, accountId TEXT NOT NULL, providerId TEXT NOT NULL, userId TEXT NOT NULL, accessToken TEXT, refreshToken TEXT, idToken TEXT, accessTokenExpiresAt DATE, refreshTokenExpiresAt DATE, scope TEXT, password TEXT, createdAt DATE NOT NULL, updatedAt DATE NOT NULL)",
  "CREATE INDEX account_user ON account (userId)",
  "CREATE TABLE verification (id TEXT PRIMARY KEY, identifier TEXT NOT NULL, value TEXT NOT NULL, expiresAt DATE NOT NULL, createdAt DATE, updatedAt DATE)",
];

/** Sign-in and session check beside better-auth's, on the same runtime. Null where it cannot be installed. */
export async function measureBetterAuth(bundles: Bundles, folder: string, plan: Plan): Promise<BetterAuth | null> {
  const script = await buildWorker(folder);
  if (script === null) return null;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      cf: false,
      telemetry: { enabled: false },
      handleStructuredLogs: () => {},
      workers: [
        {
          name: "better-auth",
          modules: runnable(script),
          compatibilityDate: compatibility.compatibilityDate,
          compatibilityFlags: ["nodejs_compat"],
          bindings: SECRET_BINDINGS,
          d1Databases: { DB: "better-auth" },
          unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
        },
      ],
    }),
  );
  try {
    const db = await miniflare.getD1Database("DB", "better-auth");
    await db.batch(TABLES.map((table) => db.prepare(table)));
    const origin = await miniflare.unsafeGetDirectURL("better-auth");
    const theirs = new Client(origin, MAX_CONCURRENCY);
    const post = (path: string, body: object): Call => ({
      method: "POST",
      path: `/api/auth/${path}`,
      headers: { origin: origin.origin },
      body,
    });
    const { email, password } = ACCOUNT;
    const signedUp = await theirs.expect(post("sign-up/email", ACCOUNT), 200);
    const cookie = (signedUp.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
    return await withStage(bundles, async (stage) => {
      const { token } = await stage.ours.json<{ token: string }>(
        { method: "POST", path: "/api/auth/register", body: ACCOUNT },
        201,
      );
      const beside = { ...stage, bare: theirs };
      const supply = (ours: Call, bare: Call, concurrency: number) => ({
        ours: () => ours,
        bare: () => bare,
        status: 200,
        concurrency,
      });
      const login: Call = { method: "POST", path: "/api/auth/login", body: { email, password } };
      const me: Call = { path: "/api/auth/me", headers: { authorization: `Bearer ${token}` } };
      const getSession: Call = { path: "/api/auth/get-session", headers: { cookie } };
      const { text } = await theirs.expect(getSession, 200);
      if (!text.includes(email)) throw new Error("better-auth does not know its own session");
      return {
        version: VERSION,
        signIn: await compare(beside, supply(login, post("sign-in/email", { email, password }), 1), plan),
        sessionCheck: await compare(beside, supply(me, getSession, MAX_CONCURRENCY), plan),
      };
    });
  } finally {
    await miniflare.dispose();
  }
}

async function buildWorker(folder: string): Promise<string | null> {
  const home = join(folder, "better-auth");
  await mkdir(home);
  await writeFile(join(home, "package.json"), "{}");
  try {
    const options = ["install", "--no-audit", "--no-fund", "--loglevel=error", `better-auth@${VERSION}`];
    await promisify(execFile)("npm", options, { cwd: home, shell: process.platform === "win32" });
  } catch {
    return null;
  }
  return bundleWorker("better-auth-worker.mjs", {}, [join(home, "node_modules")]);
}
