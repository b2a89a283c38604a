import type { Booking } from "../../lib/booking.ts";

/** Timeouts and retries. */
export interface Pace {
  callMs: number;
  attempts: number;
  /** The wait before the first retry; it doubles each time. */
  firstWaitMs: number;
  /** The sum of all waits of a run. */
  maxWaitMs: number;
}

export const PACE: Pace = { callMs: 10_000, attempts: 3, firstWaitMs: 300, maxWaitMs: 20_000 };

/** Bookings that were updated or start at `from` or later, oldest first. */
export interface BookingQuery {
  by: "updatedAt" | "start";
  from: Date;
  skip: number;
}

interface ProviderAccount {
  email: string;
  name: string;
  timeZone: string;
}

export interface ProviderEventType {
  id: number;
  title: string;
  slug: string;
  durationMinutes: number;
  description: string;
  url: string | null;
  hidden: boolean;
}

/** A booking, with a `note` on what is odd about it, or why a row could not be read. */
export type ReadBooking = { booking: Booking; note?: string } | { bookingId: string | null; problem: string };

/** A service where other people book times. */
export interface BookingProvider {
  /** The address of its API. */
  readonly baseUrl: string;
  open(apiKey: string, pace?: Pace): BookingAccount;
  readonly webhook: {
    /** The header with the signature of the body. */
    readonly signatureHeader: string;
    isSigned(secret: string, rawBody: string, signature: string | null): boolean;
    /** The bookings that a delivery is about. The sync reads them from the provider. */
    bookingIdsIn(body: unknown): string[];
  };
}

/** What the sync needs of an account there. Every method throws an AppError with a code `provider_…`. */
export interface BookingAccount {
  /** A page with fewer rows is the last one; the totals of providers are not reliable. */
  readonly pageSize: number;
  account(): Promise<ProviderAccount>;
  bookings(query: BookingQuery): Promise<ReadBooking[]>;
  /** One booking, or all occurrences if the id is that of a series. */
  booking(id: string): Promise<ReadBooking[]>;
  eventTypes(): Promise<ProviderEventType[]>;
}
