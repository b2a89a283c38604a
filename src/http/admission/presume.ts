import type { Config } from "../../config.ts";
import type { Actor, Credential, Identity } from "../../context.ts";
import { assertType } from "../../lib/cast.ts";

const MAX_KNOWN = 1000;
/** Reading the account also notes when the session or key was last used, so it is read at least this often. */
const FRESH_MS = 60_000;

interface Known {
  identity: Identity;
  readAt: number;
}

/** What the last requests of this isolate have found out about credentials. No request relies on it unchecked. */
const identities = new WeakMap<Config, Map<string, Known>>();

export function knownTo(config: Config): Map<string, Known> {
  let known = identities.get(config);
  if (!known) {
    known = new Map();
    identities.set(config, known);
  }
  return known;
}

/** Who the actor of a request is taken for until its credential is checked. */
export class Presumption {
  private readonly known: Map<string, Known>;
  private readonly credential: Credential;
  private isUsed = false;
  /** What the last request with this credential found out. */
  readonly identity: Identity | undefined;
  /** That was so recently that a write need only confirm it. */
  readonly isFresh: boolean;

  constructor(config: Config, credential: Credential) {
    this.known = knownTo(config);
    this.credential = credential;
    const last = this.known.get(credential.id);
    this.identity = last?.identity;
    this.isFresh = last !== undefined && Date.now() - last.readAt < FRESH_MS;
  }

  /** For a handler that asks who it acts for. `found`: who it is, once that is known. `fail`: it cannot be told yet. */
  actor(found: () => Identity | undefined, fail: () => Error): Actor {
    const certain = found();
    if (certain) return certain.actor;
    if (!this.identity) return this.unknownActor(found, fail);
    this.isUsed = true;
    return this.identity.actor;
  }

  /** Of a credential that nothing is known about, only the kind can be told before the database has answered. */
  private unknownActor(found: () => Identity | undefined, fail: () => Error): Actor {
    const { kind } = this.credential;
    const member = (name: string) => ({
      get: () => {
        const certain = found();
        if (!certain) throw fail();
        return assertType<Record<string, unknown>>(certain.actor)[name];
      },
      enumerable: true,
    });
    const detail = { session: "session", api_key: "key", grant: "grant" }[kind];
    return Object.defineProperties(assertType<Actor>({ kind }), { user: member("user"), [detail]: member(detail) });
  }

  /** Whether the handler has used an actor that this one is not. */
  isRefutedBy({ facts }: Identity): boolean {
    return this.isUsed && !facts.every((fact, index) => fact === this.identity?.facts[index]);
  }

  learn(identity: Identity): void {
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(this.credential.id, { identity, readAt: Date.now() });
  }

  forget(): void {
    this.known.delete(this.credential.id);
  }
}
