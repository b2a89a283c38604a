import { ResponseProblem } from "./framer.ts";

const MAX_UID = 2 ** 32 - 1;

/** Ascending and without doubles, as `1:3,7`, in as many sets as a command line allows. */
export function uidSets(uids: readonly number[], characters = 4000): string[] {
  const sorted = [...new Set(uids)].sort((a, b) => a - b);
  const sets: string[] = [];
  let set = "";
  for (let at = 0; at < sorted.length; at++) {
    const first = sorted[at] ?? 0;
    if (!Number.isInteger(first) || first < 1 || first > MAX_UID) throw new RangeError(`${first} is no UID`);
    while (sorted[at + 1] === (sorted[at] ?? 0) + 1) at += 1;
    const last = sorted[at] ?? first;
    const range = first === last ? `${first}` : `${first}:${last}`;
    if (set !== "" && set.length + range.length + 1 > characters) {
      sets.push(set);
      set = "";
    }
    set += set === "" ? range : `,${range}`;
  }
  return set === "" ? sets : [...sets, set];
}

/**
 * The UIDs of a set in its order, up to `last`; null if they are more than `most`: a few characters can name four
 * thousand million.
 */
export function expandSet(set: string, { last = MAX_UID, most = 500_000 } = {}): number[] | null {
  const uids: number[] = [];
  for (const range of set.split(",")) {
    const [, from = "", to = from] = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(range) ?? [];
    if (from === "") throw new ResponseProblem("a set of UIDs is malformed");
    const start = Math.min(Number(from), Number(to));
    const end = Math.min(Math.max(Number(from), Number(to)), last);
    if (end - start + uids.length >= most) return null;
    for (let uid = start; uid <= end; uid++) uids.push(uid);
  }
  return uids;
}
