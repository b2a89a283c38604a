import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
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

/** Starts the service as `npm run dev` does, with data and secrets of its own. */
export function startService(...extra: string[]): Promise<RunningService> {
  const secrets = ["JWT_SECRET", "PASSWORD_PEPPER", "ENCRYPTION_KEY"].flatMap((name) => [
    "--var",
    `${name}:${randomBytes(32).toString("base64url")}`,
  ]);
  return start(newDataFolder(), [...secrets, ...extra]);
}

/** The same with the data of `npm run seed`, whose passwords need the secrets of this machine. */
export function startSeededService(): Promise<RunningService> {
  const data = newDataFolder();
  const { status, stderr } = spawnSync("npm", ["run", "--silent", "seed", "--", "--persist-to", data], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The data was not seeded:\n${stderr}`);
  return start(data, []);
}

function newDataFolder(): string {
  return mkdtempSync(join(tmpdir(), "test-service-"));
}

async function start(data: string, extra: readonly string[]): Promise<RunningService> {
  const port = await freePort();
  const flags = ["--port", String(port), "--inspector-port", "0", "--persist-to", data, ...extra];
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

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
