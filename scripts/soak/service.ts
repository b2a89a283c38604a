import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Answer, type Call, Client } from "../bench/client.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));
const CONNECTIONS = 16;

interface Options {
  /** The folder of its modules. */
  worker: string;
  state: string;
  port: number;
  vars: Record<string, string>;
}

/** The service in a process of its own, which can be killed without warning and started again. */
export class Service {
  readonly #options: Options;
  #process: ChildProcess | undefined;
  #client: Client;
  /** The lines that the Worker and its runtime wrote to the error log. */
  readonly errors: string[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#client = this.#connect();
  }

  #connect(): Client {
    return new Client(new URL(`http://127.0.0.1:${this.#options.port}`), CONNECTIONS);
  }

  async start(): Promise<void> {
    const { worker, state, port, vars } = this.#options;
    const child = spawn(process.execPath, [SERVER, worker, state, String(port), JSON.stringify(vars)], {
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that the runtime dies with it.
      detached: true,
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
  }

  /** Ends it at once, in the middle of whatever it does. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child?.pid) return;
    this.#process = undefined;
    const gone = once(child, "exit");
    process.kill(-child.pid, "SIGKILL");
    await gone;
    this.#client.close();
    this.#client = this.#connect();
  }

  send(call: Call): Promise<Answer> {
    return this.#client.send(call);
  }
}
