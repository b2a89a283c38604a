import { addDays, daysBetween } from "../../lib/time.ts";
import { DAY_MINUTES, wallAt } from "../../lib/zone.ts";

/* Where events stand: in days, side by side in a day, and in lanes across days. Pure, so that it can be tested alone. */

/** What is needed of an event to place it. */
export interface Times {
  start: string;
  end: string;
  allDay: boolean;
  startDate: string | null;
  endDate: string | null;
}

/** The days an event covers on the clock of a zone. */
export interface Placed<E> {
  event: E;
  first: string;
  last: string;
  /** Minutes on the first day and on the last; 0 and 1440 for whole days. */
  from: number;
  to: number;
  /** Whole days, or a day and longer: drawn as a bar above the hours. */
  isBar: boolean;
}

export function place<E extends Times>(zone: string, event: E): Placed<E> {
  if (event.allDay && event.startDate !== null && event.endDate !== null) {
    return { event, first: event.startDate, last: addDays(event.endDate, -1), from: 0, to: DAY_MINUTES, isBar: true };
  }
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)];
  const [from, until] = [wallAt(zone, start), wallAt(zone, end)];
  // What ends at midnight does not touch the next day.
  const endsAtMidnight = until.minutes === 0 && until.day > from.day;
  const last = endsAtMidnight ? addDays(until.day, -1) : until.day;
  const minutes = Math.round((end - start) / 60_000);
  let to = endsAtMidnight ? DAY_MINUTES : until.minutes;
  // In the hour that clocks show twice, an event may seem to end before it starts.
  if (last === from.day && to <= from.minutes) to = Math.min(DAY_MINUTES, from.minutes + minutes);
  return { event, first: from.day, last, from: from.minutes, to, isBar: minutes >= DAY_MINUTES };
}

export function touches({ first, last }: { first: string; last: string }, day: string): boolean {
  return first <= day && last >= day;
}

/** The part of a day that something takes up, in minutes. */
interface Segment<T> {
  item: T;
  from: number;
  to: number;
}

/** The part of an event that is on this day. */
export function segmentOn<E>(placed: Placed<E>, day: string): Segment<Placed<E>> | null {
  if (!touches(placed, day)) return null;
  return {
    item: placed,
    from: day === placed.first ? placed.from : 0,
    to: day === placed.last ? placed.to : DAY_MINUTES,
  };
}

/** One of several columns of a day, and how many of them it covers. */
interface Box<T> extends Segment<T> {
  column: number;
  columns: number;
  span: number;
}

/** Heights of an hour and of a line of text, as in `calendar.css`. */
const [HOUR_PX, LINE_PX] = [52, 15];

/** How many lines of its title an event has room for. */
export function linesOf({ from, to }: { from: number; to: number }): number {
  const height = (heightOf({ from, to }) - from) * (HOUR_PX / 60) - 4;
  return Math.max(1, Math.floor(height / LINE_PX));
}

/** What has no room of its own. */
interface Crowd<T> {
  from: number;
  to: number;
  items: T[];
  columns: number;
}

/** However short an event is, it is drawn as high as half an hour, so that its title can be read and hit. */
const SHORTEST = 30;

const heightOf = ({ from, to }: { from: number; to: number }) => Math.max(to, from + SHORTEST);

/**
 * Lays what overlaps side by side, and lets each grow into free room on its right. What would need more than
 * `maxColumns` is gathered in the last column.
 */
export function sideBySide<T>(
  segments: readonly Segment<T>[],
  maxColumns: number,
): { boxes: Box<T>[]; crowds: Crowd<T>[] } {
  const sorted = [...segments].sort((a, b) => a.from - b.from || b.to - a.to);
  const boxes: Box<T>[] = [];
  const crowds: Crowd<T>[] = [];
  let cluster: Segment<T>[] = [];
  let end = -1;
  for (const segment of sorted) {
    if (segment.from >= end && cluster.length > 0) {
      layCluster(cluster, maxColumns, boxes, crowds);
      cluster = [];
    }
    cluster.push(segment);
    end = Math.max(end, heightOf(segment));
  }
  if (cluster.length > 0) layCluster(cluster, maxColumns, boxes, crowds);
  return { boxes, crowds };
}

function layCluster<T>(cluster: readonly Segment<T>[], maxColumns: number, boxes: Box<T>[], crowds: Crowd<T>[]): void {
  const ends: number[] = [];
  const laid = cluster.map((segment) => {
    const free = ends.findIndex((end) => end <= segment.from);
    const column = free < 0 ? ends.length : free;
    ends[column] = heightOf(segment);
    return { ...segment, column };
  });
  const columns = Math.min(ends.length, maxColumns);
  const isCrowded = ends.length > maxColumns;
  const shown = isCrowded ? laid.filter(({ column }) => column < maxColumns - 1) : laid;
  const limit = isCrowded ? columns - 1 : columns;
  for (const box of shown) {
    let span = 1;
    const isFree = (column: number) =>
      !shown.some((other) => other.column === column && other.from < heightOf(box) && heightOf(other) > box.from);
    while (box.column + span < limit && isFree(box.column + span)) span += 1;
    boxes.push({ ...box, columns, span });
  }
  if (isCrowded)
    crowds.push(
      ...gather(
        laid.filter(({ column }) => column >= maxColumns - 1),
        columns,
      ),
    );
}

function gather<T>(segments: readonly Segment<T>[], columns: number): Crowd<T>[] {
  const crowds: Crowd<T>[] = [];
  for (const segment of segments) {
    const current = crowds.at(-1);
    if (current && segment.from < current.to) {
      current.items.push(segment.item);
      current.to = Math.max(current.to, heightOf(segment));
    } else crowds.push({ from: segment.from, to: heightOf(segment), items: [segment.item], columns });
  }
  return crowds;
}

/** Something across the days of a row, by their numbers, in one of several lanes. */
export interface Laned<T> {
  item: T;
  first: number;
  last: number;
  lane: number;
}

/** The highest free lane for each, the longest first. Days are counted from the first one of the row. */
export function inLanes<T extends { first: string; last: string }>(
  items: readonly T[],
  days: readonly string[],
  rank: (a: T, b: T) => number,
): Laned<T>[] {
  const [start = "", count] = [days[0], days.length];
  const ends: number[][] = [];
  const found: Laned<T>[] = [];
  for (const item of [...items].sort(rank)) {
    const first = Math.max(0, daysBetween(start, item.first));
    const last = Math.min(count - 1, daysBetween(start, item.last));
    if (last < first || first >= count) continue;
    const taken = (lane: number) => ends[lane]?.some((day) => day >= first && day <= last) ?? false;
    let lane = 0;
    while (taken(lane)) lane += 1;
    const row = ends[lane] ?? [];
    for (let day = first; day <= last; day++) row.push(day);
    ends[lane] = row;
    found.push({ item, first, last, lane });
  }
  return found;
}

/** Keeps what fits into the lanes; where more is on a day, its last lane says how many are left out. */
export function fitLanes<T>(
  laned: readonly Laned<T>[],
  days: number,
  lanes: number,
): { shown: Laned<T>[]; hidden: number[] } {
  const isFull = Array.from({ length: days }, (_, day) =>
    laned.some(({ first, last, lane }) => first <= day && last >= day && lane >= lanes),
  );
  const fits = ({ first, last, lane }: Laned<T>) =>
    lane < lanes - 1 || (lane === lanes - 1 && !isFull.slice(first, last + 1).includes(true));
  const hidden = Array.from(
    { length: days },
    (_, day) => laned.filter((each) => !fits(each) && each.first <= day && each.last >= day).length,
  );
  return { shown: laned.filter(fits), hidden };
}

/** To the next quarter of an hour. */
export const SNAP = 15;
export function snap(minutes: number, step = SNAP): number {
  return Math.round(minutes / step) * step;
}
