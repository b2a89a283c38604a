import { spawn, spawnSync } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Long enough for any machine. One that ends by itself is noticed at once. */
const START_MS = 900_000;

export interface RunningService {
  origin: string;
  /** What it has printed so far. */
  output(): string;
  stop(): Promise<void>;
  /** Ends it in the middle of whatever it does. `revive` starts it again with the same data, at the same address. */
  kill(): Promise<void>;
  revive(): Promise<void>;
}

/** Does what `npm run seed` does, to the data in a folder. */
export function seed(data: string): void {
  const { status, stderr } = spawnSync("npm", ["run", "--silent", "seed", "--", "--persist-to", data], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The data was not seeded:\n${stderr}`);
}

export function newDataFolder(): string {
  return mkdtempSync(join(tmpdir(), "test-service-"));
}

export function copyOf(data: string): string {
  const copy = newDataFolder();
  cpSync(data, copy, { recursive: true });
  return copy;
}

interface Settings {
  /** Those of this machine, which the passwords of `npm run seed` need, or new ones. */
  secrets: "machine" | "own";
  /** More arguments for wrangler. */
  extra?: readonly string[];
}

/** Starts the service as `npm run dev` does, with a copy of the data in a folder. */
export async function start(from: string, { secrets, extra = [] }: Settings): Promise<RunningService> {
  const data = copyOf(from);
  const own = ["JWT_SECRET", "PASSWORD_PEPPER", "ENCRYPTION_KEY"].flatMap((name) => [
    "--var",
    `${name}:${randomBytes(32).toString("base64url")}`,
  ]);
  const port = await freePort();
  const flags = [
    "--port",
    String(port),
    "--inspector-port",
    "0",
    "--persist-to",
    data,
    ...(secrets === "own" ? own : []),
    ...extra,
  ];
  const origin = `http://localhost:${port}`;
  let output = "";
  let end: (signal: NodeJS.Signals) => Promise<void> = async () => {};
  const stop = async () => {
    await end("SIGTERM");
    rmSync(data, { recursive: true, force: true });
  };
  const revive = async () => {
    // A group of its own, so that the runtime below wrangler ends with it.
    const child = spawn(process.execPath, [join(root, "scripts", "dev.mjs"), ...flags], { cwd: root, detached: true });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        output += part;
      });
    }
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    end = async (signal) => {
      const runs = child.exitCode === null && child.signalCode === null;
      if (child.pid !== undefined && runs) process.kill(-child.pid, signal);
      await ended;
    };
    const deadline = Date.now() + START_MS;
    while (!(await isWell(origin))) {
      if (child.exitCode !== null || Date.now() > deadline) {
        await stop();
        throw new Error(`The service did not start:\n${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  await revive();
  return { origin, output: () => output, stop, kill: () => end("SIGKILL"), revive };
}

async function isWell(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/api/health`)).ok;
  } catch {
    return false;
  }
}

/**
 * A port that nobody has, now or in a minute: below those that systems give to connections on their way out, one of
 * which could take it before the service listens, or while it is dead.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once("error", () => resolve(false));
      server.listen(port, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
