import { dismissAbout } from "./notices.ts";
import { session, whenSignedOut } from "./session.ts";

/*
 * What a person typed and the service does not have yet. It stays on this device, through reloads and crashes, until it
 * is stored or thrown away. Signing out removes it; a session that ends by itself does not, and nobody else sees it.
 */

const PREFIX = "poa-kept";

/** For a browser that forbids storage, or has no room: it lasts as long as the page. */
const spare = new Map<string, string>();
whenSignedOut(() => spare.clear());

function prefix(): string | null {
  const { value } = session;
  return value.status === "in" ? `${PREFIX}:${value.user.id}:` : null;
}

/** Null forgets it. Without a session nothing changes: a screen that is closed by its end has thrown nothing away. */
export function keep(name: string, value: unknown): void {
  const own = prefix();
  if (own === null) return;
  spare.delete(own + name);
  try {
    if (value === null) localStorage.removeItem(own + name);
    else localStorage.setItem(own + name, JSON.stringify(value));
  } catch {
    spare.set(own + name, JSON.stringify(value));
  }
}

/** Calls with the name of what another tab has stored or thrown away. */
export function whenGone(run: (name: string) => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    const own = prefix();
    if (own !== null && newValue === null && key?.startsWith(own)) run(key.slice(own.length));
  });
}

// What was said about it here is no longer so.
whenGone(dismissAbout);

export function kept<T>(name: string): T | null {
  const own = prefix();
  if (own === null) return null;
  try {
    return JSON.parse(spare.get(own + name) ?? localStorage.getItem(own + name) ?? "null");
  } catch {
    return null;
  }
}

/** The names that begin so. */
export function keptNames(start = ""): string[] {
  const own = prefix();
  if (own === null) return [];
  let keys = [...spare.keys()];
  try {
    keys = [...new Set([...keys, ...Object.keys(localStorage)])];
  } catch {
    // Then there are no others.
  }
  return keys.flatMap((key) => (key.startsWith(own + start) ? key.slice(own.length) : []));
}
