import { AppError } from "../../lib/errors.ts";
import { type BookingProvider, type BookingQuery, PAGE_SIZE } from "../../providers/bookingsvc/client.ts";
import type { ProviderBooking, ReadBooking } from "../../providers/bookingsvc/wire.ts";

export interface WalkPage {
  bookings: ProviderBooking[];
  /** Rows that could not be read, in words. */
  problems: string[];
  fetched: number;
  /** Everything before this moment has been seen. */
  reached: Date;
}

/**
 * Goes through the bookings in the order of a moment they carry, page by page. It never counts rows to
 * find its place, because rows move while it walks: it asks again from the last moment it saw, and only
 * within one moment shared by a whole page does it skip. Memory is that of a page, however long the walk.
 */
export async function* walkBookings(
  provider: BookingProvider,
  by: BookingQuery["by"],
  start: Date,
): AsyncGenerator<WalkPage> {
  let from = start;
  let skip = 0;
  let seen = new Set<string>();
  for (;;) {
    const rows = await provider.bookings({ by, from, skip });
    const { bookings, problems } = sortOut(rows);
    const fresh = bookings.filter(({ uid }) => !seen.has(uid));
    const last = latest(bookings, by) ?? from;
    yield { bookings: fresh, problems, fetched: fresh.length + problems.length, reached: last };
    if (rows.length < PAGE_SIZE) return;
    if (fresh.length === 0 && skip > 0) {
      throw new AppError("provider_error", "The booking provider sends the same page again and again.");
    }
    seen = new Set(bookings.map(({ uid }) => uid));
    if (last > from) {
      from = last;
      skip = 0;
    } else {
      skip += rows.length;
    }
  }
}

function sortOut(rows: readonly ReadBooking[]): { bookings: ProviderBooking[]; problems: string[] } {
  const bookings = new Map<string, ProviderBooking>();
  const problems: string[] = [];
  for (const row of rows) {
    if ("problem" in row) problems.push(`${row.uid ?? "a booking without an id"}: ${row.problem}`);
    else {
      const known = bookings.get(row.booking.uid);
      if (!known || time(row.booking.updatedAt) >= time(known.updatedAt)) bookings.set(row.booking.uid, row.booking);
    }
  }
  return { bookings: [...bookings.values()], problems };
}

function latest(bookings: readonly ProviderBooking[], by: BookingQuery["by"]): Date | null {
  let last: Date | null = null;
  for (const booking of bookings) {
    const moment = by === "start" ? booking.start : booking.updatedAt;
    if (moment && (!last || moment > last)) last = moment;
  }
  return last;
}

function time(moment: Date | null): number {
  return moment?.getTime() ?? 0;
}
