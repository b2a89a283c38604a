import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** What every job of the service says of itself. */
export interface Job {
  id: string;
  state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  progress: { done: number; total: number | null };
  error: string | null;
  finishedAt: string | null;
  size?: number | null;
  result: {
    records: Record<string, number>;
    files: number;
    missingFiles?: number;
    leftOut?: LeftOut[];
    changed?: LeftOut[];
  } | null;
}

interface LeftOut {
  name: string;
  records: number;
  reason: string;
}

const POLL_MS = 1000;

/** The service, signed in as its owner. */
export class Service {
  readonly #url: string;
  #token = "";
  #refreshToken = "";

  constructor(url: string) {
    this.#url = url;
  }

  /** Address, password and code come from the environment, or the person is asked. */
  async signIn(): Promise<void> {
    const { POA_EMAIL, POA_PASSWORD, POA_CODE } = process.env;
    const email = POA_EMAIL ?? (await ask("Email address of the owner: "));
    const password = POA_PASSWORD ?? (await ask("Password: ", { isSecret: true }));
    const first = await this.json("POST", "/api/auth/login", { email, password });
    if (!first.twoFactorRequired) return this.#keep(first);
    const code = POA_CODE ?? (await ask("Code of the authenticator app: "));
    this.#keep(await this.json("POST", "/api/auth/login/2fa", { challengeToken: first.challengeToken, code }));
  }

  #keep({ token, refreshToken }: Record<string, unknown>): void {
    this.#token = String(token);
    this.#refreshToken = String(refreshToken);
  }

  /** A response that succeeded. A token lives for 15 minutes, and a backup may take longer. */
  async call(method: string, path: string, init: RequestInit = {}, mayRefresh = true): Promise<Response> {
    const headers = { ...init.headers, ...(this.#token && { authorization: `Bearer ${this.#token}` }) };
    // A redirect would take the password elsewhere.
    const response = await fetch(new URL(path, this.#url), { ...init, method, headers, redirect: "error" });
    if (response.ok) return response;
    const text = await response.text();
    if (response.status === 401 && mayRefresh && this.#refreshToken) {
      const refreshToken = this.#refreshToken;
      this.#token = "";
      this.#keep(await this.json("POST", "/api/auth/refresh", { refreshToken }));
      return this.call(method, path, init, false);
    }
    throw new Error(`${method} ${path} → ${response.status}: ${detailOf(text)}`);
  }

  async json<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body> {
    const given =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    return JSON.parse(await (await this.call(method, path, given)).text());
  }

  /** Waits until a job is over, and shows how far it is. Throws if it did not succeed. */
  async wait(path: string): Promise<Job> {
    for (;;) {
      const job = await this.json<Job>("GET", path);
      const { done, total } = job.progress;
      if (stdout.isTTY) stdout.write(`\r${job.state}: ${done}${total === null ? "" : ` of ${total}`} records   `);
      if (job.finishedAt !== null) {
        if (stdout.isTTY) stdout.write("\n");
        if (job.state === "succeeded") return job;
        throw new Error(job.error ?? `It was ${job.state}.`);
      }
      await sleep(POLL_MS);
    }
  }
}

function detailOf(text: string): string {
  try {
    return String(JSON.parse(text).detail ?? text);
  } catch {
    return text.slice(0, 500);
  }
}

async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (!stdin.isTTY) throw new Error("Set POA_EMAIL, POA_PASSWORD and, with two-factor authentication, POA_CODE.");
  const lines = createInterface({ input: stdin, output: stdout, terminal: true });
  if (isSecret) Object.assign(lines, { _writeToOutput: (text: string) => stdout.write(text === question ? text : "") });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
    if (isSecret) stdout.write("\n");
  }
}

export function summaryOf({ result }: Job): string {
  const records = Object.values(result?.records ?? {}).reduce((sum, count) => sum + count, 0);
  return `${records} records and ${result?.files ?? 0} files`;
}
