import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const START_MS = 90_000;

export interface RunningService {
  origin: string;
  stop(): Promise<void>;
}

/** Starts the service as `npm run dev` does, with data and secrets of its own. */
export async function startService(...extra: string[]): Promise<RunningService> {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), "browser-test-"));
  const secrets = ["JWT_SECRET", "PASSWORD_PEPPER", "ENCRYPTION_KEY"].flatMap((name) => [
    "--var",
    `${name}:${randomBytes(32).toString("base64url")}`,
  ]);
  const flags = ["--port", String(port), "--inspector-port", "0", "--persist-to", data, ...secrets, ...extra];
  // A group of its own, so that the runtime below wrangler ends with it.
  const child = spawn(process.execPath, [join(root, "scripts", "dev.mjs"), ...flags], { cwd: root, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part) => {
      output += part;
    });
  }
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    const runs = child.exitCode === null && child.signalCode === null;
    if (child.pid !== undefined && runs) process.kill(-child.pid, "SIGTERM");
    await ended;
    rmSync(data, { recursive: true, force: true });
  };

  const origin = `http://localhost:${port}`;
  const deadline = Date.now() + START_MS;
  while (!(await isWell(origin))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`The service did not start:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { origin, stop };
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
