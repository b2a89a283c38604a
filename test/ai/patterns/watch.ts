/*
 * Stands around each pattern and each list of words of the chat, in the project `patterns` alone (plugin.ts). Says which
 * of them had a part in what was read, and lets one of them match nothing.
 */

/** All that were loaded, by their place in the source. */
export const patterns = new Map<string, unknown>();
/** Those that have matched since this was emptied. */
export const matched = new Set<string>();
let off: string | null = null;

/** From now on this pattern matches nothing; null: all of them match again. */
export function turnOff(id: string | null): void {
  off = id;
}

/** Whether a pattern matches: `found` is what it found. */
function counts(id: string, found: boolean): boolean {
  if (found && off !== id) matched.add(id);
  return found && off !== id;
}

class WatchedPattern extends RegExp {
  readonly id: string;

  constructor(pattern: RegExp | string, flags?: string, id?: string) {
    super(pattern, flags);
    // `split` and `matchAll` make a copy.
    this.id = id ?? (pattern instanceof WatchedPattern ? pattern.id : "");
  }

  override exec(text: string): RegExpExecArray | null {
    const found = super.exec(text);
    if (counts(this.id, found !== null)) return found;
    this.lastIndex = 0;
    return null;
  }
}

class WatchedSet extends Set<unknown> {
  readonly id: string;

  constructor(values: Iterable<unknown>, id: string) {
    super();
    this.id = id;
    for (const value of values) this.add(value);
  }

  override has(value: unknown): boolean {
    return counts(this.id, super.has(value));
  }

  override [Symbol.iterator]() {
    return counts(this.id, true) ? super[Symbol.iterator]() : new Set().values();
  }
}

class WatchedMap extends Map<unknown, unknown> {
  readonly id: string;

  constructor(entries: Iterable<[unknown, unknown]>, id: string) {
    super();
    this.id = id;
    for (const [key, value] of entries) this.set(key, value);
  }

  override has(key: unknown): boolean {
    return counts(this.id, super.has(key));
  }

  override get(key: unknown): unknown {
    return counts(this.id, super.has(key)) ? super.get(key) : undefined;
  }
}

/** A list that is searched, with the name of each of its entries, or one for all. One that is off is not in it. */
function watchedList(list: readonly unknown[], ids: readonly string[]): unknown[] {
  const idAt = (at: number) => ids[at] ?? ids[0] ?? "";
  return new Proxy([...list], {
    get(all, member) {
      const at = typeof member === "string" && /^\d+$/.test(member) ? Number(member) : null;
      if (at !== null) return counts(idAt(at), at < all.length) ? all[at] : undefined;
      const left = all.filter((_, index) => counts(idAt(index), true));
      const value: unknown = Reflect.get(left, member);
      return typeof value === "function" ? value.bind(left) : value;
    },
  });
}

export function watch(id: string | readonly string[], value: unknown): unknown {
  const ids = typeof id === "string" ? [id] : id;
  for (const each of ids) patterns.set(each, value);
  const [name = ""] = ids;
  if (Array.isArray(value)) return watchedList(value, ids);
  if (value instanceof RegExp) return new WatchedPattern(value.source, value.flags, name);
  return value instanceof Map ? new WatchedMap(value, name) : new WatchedSet(value as Set<unknown>, name);
}
