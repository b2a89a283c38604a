import { AppError } from "../../lib/errors.ts";
import { type BookingProvider, type BookingQuery, PAGE_SIZE } from "../../providers/bookingsvc/client.ts";
import type { ProviderBooking, ReadBooking } from "../../providers/bookingsvc/wire.ts";

export interface WalkPage {
  bookings: ProviderBooking[];
  /** Rows that could not be read, in words. */
  problems: string[];
  /** Everything before this moment has been seen. */
  reached: Date;
}

/**
 * Goes through the bookings in the order of a moment they carry, page by page. It never counts rows to
 * find its place, because rows move while it walks: it asks again from the last moment it saw, and only
 * within one moment shared by a whole page does it skip. The next page is on its way while this one is
 * being written. Memory is that of two pages, however long the walk.
 */
export async function* walkBookings(
  provider: BookingProvider,
  by: BookingQuery["by"],
  start: Date,
): AsyncGenerator<WalkPage> {
  let place: BookingQuery = { by, from: start, skip: 0 };
  let seen = new Set<string>();
  let coming: Promise<ReadBooking[]> | null = provider.bookings(place);
  while (coming) {
    const rows: ReadBooking[] = await coming;
    const { bookings, problems } = sortOut(rows);
    const fresh = bookings.filter(({ uid }) => !seen.has(uid));
    const last = latest(bookings, by) ?? place.from;
    const isEndless = rows.length >= PAGE_SIZE && fresh.length === 0 && place.skip > 0;
    if (last > place.from) place = { by, from: last, skip: 0 };
    else place = { ...place, skip: place.skip + rows.length };
    coming = rows.length < PAGE_SIZE || isEndless ? null : provider.bookings(place);
    // Whoever waits for it hears of a failure; if nobody does any more, nobody needs to.
    coming?.catch(() => undefined);
    yield { bookings: fresh, problems, reached: last };
    if (isEndless) throw new AppError("provider_error", "The booking provider sends the same page again and again.");
    seen = new Set(bookings.map(({ uid }) => uid));
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
