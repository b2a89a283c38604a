import { setTimeout as sleep } from "node:timers/promises";
import type { Part, Select, Stage } from "./part.ts";
import type { Service } from "./service.ts";

const PAUSE_MS = 200;
/** How long the last change may take to everyone. */
const LATEST_MS = 45_000;

interface Follower {
  client: LiveClient;
  audience: string;
}

/** Two clients that follow all changes, across every death of the server. */
export function openLive({ service, tally }: Stage): Part {
  const followers: Follower[] = [];
  const following: Promise<void>[] = [];
  return {
    async connect(_, { id, headers }) {
      followers.push({ client: new LiveClient("anonymous client", service), audience: "anonymous" });
      followers.push({ client: new LiveClient("the owner's client", service, headers), audience: `user:${id}` });
      following.push(...followers.map(({ client }) => client.follow()));
    },
    // The changes of all others are its load.
    load: async () => {},
    /** A last change must reach everyone, and with it all before it. */
    async finish(steady) {
      const { body } = await steady.surely({ method: "POST", path: "/api/tasks", body: { title: "The last task" } });
      const until = Date.now() + LATEST_MS;
      for (const { client } of followers) {
        const hasCome = () => client.seen.some(({ type, recordId }) => type === "task.created" && recordId === body.id);
        while (!hasCome() && Date.now() < until) await sleep(100);
        if (!hasCome()) tally.find(`${client.name} never got the last change`);
        client.end();
      }
      await Promise.all(following);
    },
    rules: {
      "no change is missing in the log": "SELECT max(id) FROM changes HAVING max(id) - min(id) + 1 <> count(*)",
    },
    audit: (rows) => followers.flatMap((follower) => compareChanges(rows, follower)),
    figures: () =>
      followers.map(
        ({ client: { name, seen, connections } }) => `${name}: ${seen.length} changes over ${connections} connections`,
      ),
  };
}

/** Every change from the first to the last that a client saw, unless the log has forgotten it, and none twice. */
function compareChanges(rows: Select, { client, audience }: Follower): string[] {
  const { name, seen, first = 0, findings } = client;
  const last = seen.at(-1)?.id ?? 0;
  const logged = rows(`SELECT id, type FROM changes WHERE id > ${first} AND id <= ${last}
    AND (audience IS NULL OR ' ' || audience || ' ' LIKE '% ${audience} %')`);
  const ids = new Set(seen.map(({ id }) => id));
  const missing = logged.filter(({ id }) => !ids.has(Number(id)));
  const [oldest] = rows("SELECT min(id) AS id FROM changes");
  const comparable = [...ids].filter((id) => id >= Number(oldest?.id));
  return [
    ...findings,
    ...missing.map(({ id, type }) => `${name}: change ${id} (${type}) never came`),
    ...(comparable.length > logged.length ? [`${name}: it saw changes that are not for it`] : []),
  ];
}

interface Seen {
  id: number;
  type: string;
  recordId: number | string;
}

/** A client that follows the changes and connects again with the last id whenever it was cut off. */
class LiveClient {
  readonly name: string;
  readonly seen: Seen[] = [];
  readonly findings: string[] = [];
  /** Where it began to follow. */
  first: number | undefined;
  connections = 0;
  readonly #service: Service;
  readonly #headers: Record<string, string>;
  #last: string | undefined;
  #isOver = false;
  #cut = new AbortController();

  constructor(name: string, service: Service, headers: Record<string, string> = {}) {
    this.name = name;
    this.#service = service;
    this.#headers = headers;
  }

  async follow(): Promise<void> {
    while (!this.#isOver) {
      await this.#service.whenReady();
      await this.#connect().catch(() => {});
      if (!this.#isOver) await sleep(PAUSE_MS);
    }
  }

  end(): void {
    this.#isOver = true;
    this.#cut.abort();
  }

  async #connect(): Promise<void> {
    const position = this.#last === undefined ? undefined : { "last-event-id": this.#last };
    const headers = { ...this.#headers, accept: "text/event-stream", ...position };
    const response = await fetch(new URL("/api/live", this.#service.origin), { headers, signal: this.#cut.signal });
    if (response.status !== 200 || !response.body) throw new Error(`GET /api/live answered ${response.status}`);
    this.connections += 1;
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const [event, data, id] = [field("event"), field("data"), field("id")];
    if (!event || data === undefined) return;
    if (id !== undefined) this.#last = id;
    if (event === "ready") this.first ??= Number(id);
    else if (event === "change") {
      const change: Seen = JSON.parse(data);
      if (change.id <= (this.seen.at(-1)?.id ?? 0)) this.findings.push(`${this.name}: change ${change.id} came twice`);
      this.seen.push(change);
    } else if (event !== "end") this.findings.push(`${this.name}: ${event} ${data}`);
  }
}
