import { isoTime } from "./iso-times.ts";

/** The end is not included. */
export interface Interval {
  start: number;
  end: number;
}

/** As the API returns it. */
export function toIso({ start, end }: Record<"start" | "end", number | Date>): { start: string; end: string } {
  return { start: isoTime(new Date(start)), end: isoTime(new Date(end)) };
}

/** The same times as ascending intervals that neither overlap nor touch. */
export function merge(intervals: Iterable<Interval>): Interval[] {
  const merged: Interval[] = [];
  for (const { start, end } of [...intervals].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** The parts of the intervals within the window. */
export function clip(intervals: Iterable<Interval>, window: Interval): Interval[] {
  const clipped: Interval[] = [];
  for (const { start, end } of intervals) {
    const inside = { start: Math.max(start, window.start), end: Math.min(end, window.end) };
    if (inside.start < inside.end) clipped.push(inside);
  }
  return clipped;
}

/** The parts of `window` that the merged intervals `taken` leave free. */
export function gaps(window: Interval, taken: readonly Interval[]): Interval[] {
  const left: Interval[] = [];
  let from = window.start;
  for (const { start, end } of taken) {
    if (end <= from) continue;
    if (start >= window.end) break;
    if (start > from) left.push({ start: from, end: start });
    from = Math.max(from, end);
  }
  if (from < window.end) left.push({ start: from, end: window.end });
  return left;
}

export function totalLength(intervals: Iterable<Interval>): number {
  let total = 0;
  for (const { start, end } of intervals) total += end - start;
  return total;
}
