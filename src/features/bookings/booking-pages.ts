import type { Booking } from "../../lib/booking.ts";
import { AppError } from "../../lib/errors.ts";
import type { BookingAccount, BookingQuery, ReadBooking } from "../../providers/bookings/provider.ts";

export interface BookingPage {
  bookings: Booking[];
  /** Why rows could not be read. */
  problems: string[];
  /** What is odd about bookings that could be read. */
  notes: string[];
  /** Every booking before this moment has been read. */
  reached: Date;
}

/**
 * Reads the bookings in the order of one of their times, page by page. Rows move while this runs, so it does not count
 * them to find its place: it asks again from the last moment it saw, and skips rows only within a moment that a whole
 * page shares. The next page is fetched while this one is written, so memory holds two pages.
 */
export async function* bookingPages(
  account: BookingAccount,
  by: BookingQuery["by"],
  start: Date,
): AsyncGenerator<BookingPage> {
  let place: BookingQuery = { by, from: start, skip: 0 };
  let seen = new Set<string>();
  let coming: Promise<ReadBooking[]> | null = account.bookings(place);
  while (coming) {
    const rows: ReadBooking[] = await coming;
    const { bookings, ...remarks } = sortRows(rows);
    const fresh = bookings.filter(({ bookingId }) => !seen.has(bookingId));
    const last = latest(bookings, by) ?? place.from;
    const isEndless = rows.length >= account.pageSize && fresh.length === 0 && place.skip > 0;
    if (last > place.from) place = { by, from: last, skip: 0 };
    else place = { ...place, skip: place.skip + rows.length };
    coming = rows.length < account.pageSize || isEndless ? null : account.bookings(place);
    // Without a handler, a failure after the caller has stopped would be an unhandled rejection.
    coming?.catch(() => undefined);
    yield { bookings: fresh, ...remarks, reached: last };
    if (isEndless) throw new AppError("provider_error", "The booking provider keeps returning the same page.");
    seen = new Set(bookings.map(({ bookingId }) => bookingId));
  }
}

/** If a booking is there twice, its latest version counts. */
export function sortRows(rows: readonly ReadBooking[]): Omit<BookingPage, "reached"> {
  const bookings = new Map<string, Booking>();
  const problems: string[] = [];
  const notes: string[] = [];
  for (const row of rows) {
    if ("problem" in row) problems.push(`${row.bookingId ?? "a booking without an id"}: ${row.problem}`);
    else {
      const { booking, note } = row;
      const known = bookings.get(booking.bookingId);
      if (!known || updatedAt(booking) >= updatedAt(known)) bookings.set(booking.bookingId, booking);
      if (note) notes.push(note);
    }
  }
  return { bookings: [...bookings.values()], problems, notes };
}

function latest(bookings: readonly Booking[], by: BookingQuery["by"]): Date | null {
  let last: Date | null = null;
  for (const { start, externalUpdatedAt } of bookings) {
    const moment = by === "start" ? start : externalUpdatedAt;
    if (moment && (!last || moment > last)) last = moment;
  }
  return last;
}

function updatedAt({ externalUpdatedAt }: Booking): number {
  return externalUpdatedAt?.getTime() ?? 0;
}
