import type { Config } from "../../config.ts";
import { connectToHub } from "../../lib/hub.ts";
import { errorFields, log } from "../../log.ts";
import type { Clock } from "./clock.ts";

/** A hub that has not answered by then is not waited for any longer. */
const CONNECT_MS = 2000;

/** The hints of the hub to one client. However many come, all that is kept of them is that there was one. */
export class Wakeups {
  readonly #hub: DurableObjectNamespace | undefined;
  readonly #signal: AbortSignal;
  #socket: WebSocket | null = null;
  #isConnecting = false;
  #isClosed = false;
  #isWoken = false;
  #notice = () => {};

  constructor(config: Config, signal: AbortSignal) {
    this.#hub = config.bindings.HUB;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#notice(), { once: true });
  }

  /**
   * Call it before every look: from then on a change wakes the client, if the hub can be reached. A socket that was lost
   * is opened again. Without one, the client looks again when its wait is over.
   */
  async listen(): Promise<void> {
    this.#isWoken = false;
    if (this.#socket || this.#isConnecting || !this.#hub) return;
    this.#isConnecting = true;
    let isLate = false;
    const connecting = this.#connect(this.#hub).finally(() => {
      this.#isConnecting = false;
      // Changes from before the socket was open are read once more.
      if (isLate) this.#wake();
    });
    isLate = await isLongerThan(CONNECT_MS, connecting);
  }

  async #connect(hub: DurableObjectNamespace): Promise<void> {
    try {
      const socket = await connectToHub(hub);
      socket.accept();
      if (this.#isClosed) return socket.close();
      const lose = () => {
        this.#socket = null;
      };
      socket.addEventListener("message", () => this.#wake());
      socket.addEventListener("close", lose);
      socket.addEventListener("error", lose);
      this.#socket = socket;
    } catch (error) {
      log("warn", "hub_not_reached", errorFields(error));
    }
  }

  #wake(): void {
    this.#isWoken = true;
    this.#notice();
  }

  /** Waits for a hint, for the client to leave, or until the time is over. */
  async wait(ms: number, clock: Clock): Promise<void> {
    if (this.#isWoken || this.#signal.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve);
      this.#notice = () => {
        cancel();
        resolve();
      };
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }
}

async function isLongerThan(ms: number, work: Promise<void>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  try {
    return (await Promise.race([work, passed])) === true;
  } finally {
    clearTimeout(timer);
  }
}
