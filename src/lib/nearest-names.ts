const MAX_NAMES = 3;

/** The names that somebody may have meant by one that does not exist: `due` → `dueAt`, `dueText`. Empty if none is close. */
export function nearestNames(given: string, names: readonly string[]): string[] {
  const wanted = plain(given);
  if (wanted.length < 2 || wanted.length > 60) return [];
  const same = names.filter((name) => plain(name) === wanted);
  if (same.length > 0) return same;
  const longer = names.filter((name) => wanted.length > 2 && plain(name).startsWith(wanted));
  if (longer.length > 0) return longer.slice(0, MAX_NAMES);
  const limit = wanted.length < 5 ? 1 : 2;
  const close = names.map((name) => ({ name, distance: distance(plain(name), wanted) }));
  const nearest = Math.min(limit, ...close.map((one) => one.distance));
  const alike = close.filter((one) => one.distance === nearest).map(({ name }) => name);
  if (alike.length > 0) return alike.slice(0, MAX_NAMES);
  return names.filter((name) => name.length > 2 && wanted.startsWith(plain(name))).slice(0, MAX_NAMES);
}

/** Without what people write differently: `due_at`, `Due-At` and `dueAt` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** How many letters differ (Levenshtein). */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const swapped = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
