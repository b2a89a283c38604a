import type { Config } from "../config.ts";
import type { Identity } from "../context.ts";

const MAX_KNOWN = 1000;
/** Reading the account also notes when the session or key was last used, so it is read at least this often. */
const FRESH_MS = 60_000;

/** Credentials as the last requests of this isolate found them. No request relies on them unchecked. */
export class KnownIdentities {
  private readonly entries = new Map<string, { identity: Identity; readAt: number }>();

  get(credentialId: string): { identity: Identity; isFresh: boolean } | undefined {
    const entry = this.entries.get(credentialId);
    return entry && { identity: entry.identity, isFresh: Date.now() - entry.readAt < FRESH_MS };
  }

  set(credentialId: string, identity: Identity): void {
    if (this.entries.size >= MAX_KNOWN) this.entries.clear();
    this.entries.set(credentialId, { identity, readAt: Date.now() });
  }

  delete(credentialId: string): void {
    this.entries.delete(credentialId);
  }
}

const identities = new WeakMap<Config, KnownIdentities>();

export function knownTo(config: Config): KnownIdentities {
  let known = identities.get(config);
  if (!known) {
    known = new KnownIdentities();
    identities.set(config, known);
  }
  return known;
}
