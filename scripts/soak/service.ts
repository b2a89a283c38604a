import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Answer, type Call, Client } from "../bench/client.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));
const CONNECTIONS = 16;

interface Options {
  /** The folder of the upload. */
  worker: string;
  state: string;
  port: number;
  vars: Record<string, string>;
  /** For the files of the runtime, which a killed one leaves behind. */
  temporary: string;
  /** A file to which all lines of the service's log are added. */
  log: string | undefined;
  compatibility: { compatibilityDate: string; compatibilityFlags: string[] };
}

/** The service in a process of its own, which can be killed without warning and started again. */
export class Service {
  readonly #options: Options;
  #process: ChildProcess | undefined;
  #setReady = () => {};
  #ready = this.#notReady();
  #client: Client;
  startedAt = 0;
  /** The lines that the Worker and its runtime wrote to the error log. */
  readonly errors: string[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#client = this.#connect();
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  /** A variable, from the next start on. */
  set(name: string, value: string): void {
    this.#options.vars[name] = value;
  }

  #connect(): Client {
    return new Client(new URL(this.origin), CONNECTIONS);
  }

  async start(): Promise<void> {
    const { worker, state, port, vars, compatibility, log, temporary } = this.#options;
    const settings = JSON.stringify({ vars, compatibility, log });
    const child = spawn(process.execPath, [SERVER, worker, state, String(port), settings], {
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that the runtime dies with it.
      detached: true,
      // Spans of local requests would be written to disk, and nobody reads them here.
      env: { ...process.env, X_LOCAL_OBSERVABILITY: "false", TMPDIR: temporary },
    });
    createInterface(child.stderr).on("line", (line) => this.errors.push(line));
    this.#process = child;
    const isReady = new Promise<void>((resolve) => {
      child.stdout.on("data", (chunk: Buffer) => chunk.includes("ready") && resolve());
    });
    await Promise.race([
      isReady,
      once(child, "exit").then(() => {
        throw new Error(`The server did not start.\n${this.errors.slice(-20).join("\n")}`);
      }),
    ]);
    this.startedAt = Date.now();
    this.#setReady();
  }

  /** Miniflare reads its runtime's log only once that is ready: requests before would fill the pipe and block it. */
  whenReady(): Promise<void> {
    return this.#ready;
  }

  #notReady(): Promise<void> {
    return new Promise((resolve) => {
      this.#setReady = resolve;
    });
  }

  /** Ends it at once, in the middle of whatever it does. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child?.pid) return;
    this.#process = undefined;
    this.#ready = this.#notReady();
    const gone = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await gone;
    this.#client.close();
    this.#client = this.#connect();
  }

  async send(call: Call): Promise<Answer> {
    await this.whenReady();
    return this.#client.send(call);
  }

  /** An email from outside. False if it was refused or the line was cut: its sender tries again. */
  async email(raw: string): Promise<boolean> {
    const addresses = new URLSearchParams({ from: "ann@example.com", to: "hello@example.com" });
    return this.#trigger(`/cdn-cgi/local/email?${addresses}`, { method: "POST", body: raw });
  }

  /** The cron with this expression. False if the server died on the way. */
  async cron(expression: string): Promise<boolean> {
    return this.#trigger(`/cdn-cgi/local/scheduled?${new URLSearchParams({ cron: expression })}`);
  }

  async #trigger(path: string, init?: RequestInit): Promise<boolean> {
    await this.whenReady();
    try {
      const response = await fetch(new URL(path, this.origin), init);
      await response.text();
      return response.ok;
    } catch {
      return false;
    }
  }
}
