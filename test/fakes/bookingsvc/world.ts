/** One account at the provider: what its API tells, and nothing of how. */
export interface Booking {
  id: number;
  uid: string;
  title: string;
  description: string;
  hosts: { id: number | string; name: string; email: string; timeZone: string }[];
  status: string;
  cancellationReason: string;
  reschedulingReason?: string;
  rescheduledFromUid?: string;
  rescheduledToUid?: string;
  recurringBookingUid?: string;
  start: string;
  end: string;
  eventTypeId: number;
  eventType: { id: number; slug: string } | null;
  meetingUrl: string | null;
  location: string | null;
  createdAt: string;
  /** The provider leaves it out for some rows, which then pass no filter on it. */
  updatedAt: string | null;
  icsUid: string;
  attendees: { name: string; email: string; timeZone: string; absent: boolean; seatUid?: string }[];
}

export interface NewBooking {
  title?: string;
  description?: string;
  start: Date;
  minutes?: number;
  status?: string;
  attendees?: { name: string; email: string }[];
  location?: string | null;
  seats?: boolean;
  recurringBookingUid?: string;
}

export const HOST = { id: 7587, name: "Jane Roe", email: "jane@example.com", timeZone: "Europe/Paris" };

export const EVENT_TYPES = [
  { id: 782986, slug: "30min", title: "30 Min Meeting", lengthInMinutes: 30, hidden: false },
  { id: 782987, slug: "intro", title: "Introduction", lengthInMinutes: 15, hidden: false },
  { id: 782988, slug: "workshop", title: "Workshop", lengthInMinutes: 90, hidden: true },
];

/** What the provider holds to be true, and the ways in which it changes. */
export class World {
  readonly bookings = new Map<string, Booking>();
  #clock: number;
  #nextId = 3_441_000;
  /** No two accounts have a booking in common. */
  readonly #name = Math.random().toString(36).slice(2, 8).padEnd(6, "x");

  constructor(now: Date) {
    this.#clock = now.getTime();
  }

  /** Each change has a time of its own, unless a test holds the clock. */
  tick(milliseconds = 1000): string {
    this.#clock += milliseconds;
    return new Date(this.#clock).toISOString();
  }

  book({ title = "30 Min Meeting", start, minutes = 30, status = "accepted", ...given }: NewBooking): Booking {
    this.#nextId += 1;
    const uid = `${this.#name}${this.#nextId}`;
    const at = this.tick();
    const attendees = given.attendees ?? [{ name: "John Doe", email: "john@example.org" }];
    const booking: Booking = {
      id: this.#nextId,
      uid,
      title: `${title} between ${HOST.name} and ${attendees[0]?.name ?? "nobody"}`,
      description: given.description ?? "",
      hosts: [HOST],
      status,
      cancellationReason: "",
      start: start.toISOString(),
      end: new Date(start.getTime() + minutes * 60_000).toISOString(),
      eventTypeId: 782986,
      eventType: { id: 782986, slug: "30min" },
      meetingUrl: given.location === undefined ? `https://video.example.com/${uid}` : given.location,
      location: given.location === undefined ? `https://video.example.com/${uid}` : given.location,
      createdAt: at,
      updatedAt: at,
      icsUid: `${uid}@bookings.example.com`,
      attendees: attendees.map((person, seat) => ({
        ...person,
        timeZone: "America/New_York",
        absent: false,
        ...(given.seats && { seatUid: `${uid}-seat-${seat}` }),
      })),
      ...(given.recurringBookingUid && { recurringBookingUid: given.recurringBookingUid }),
    };
    this.bookings.set(uid, booking);
    return booking;
  }

  /** A new booking takes the place of the old one, which becomes cancelled. */
  reschedule(uid: string, start: Date): Booking {
    const old = this.#get(uid);
    const minutes = (Date.parse(old.end) - Date.parse(old.start)) / 60_000;
    const next = this.book({ start, minutes, attendees: old.attendees, recurringBookingUid: old.recurringBookingUid });
    next.title = old.title;
    next.rescheduledFromUid = uid;
    next.reschedulingReason = "Something came up";
    // The provider copies the reason here too, although the new booking stands.
    next.cancellationReason = "Something came up";
    const isSeated = old.attendees.some(({ seatUid }) => seatUid !== undefined);
    if (!isSeated) {
      this.change(uid, {
        status: "cancelled",
        cancellationReason: "Something came up",
        ...(old.recurringBookingUid === undefined && { rescheduledToUid: next.uid }),
      });
    }
    return next;
  }

  cancel(uid: string, reason = "No longer needed"): Booking {
    return this.change(uid, { status: "cancelled", cancellationReason: reason });
  }

  change(uid: string, change: Partial<Booking>): Booking {
    const booking = this.#get(uid);
    Object.assign(booking, { updatedAt: this.tick() }, change);
    return booking;
  }

  #get(uid: string): Booking {
    const booking = this.bookings.get(uid);
    if (!booking) throw new Error(`the fake provider has no booking ${uid}`);
    return booking;
  }
}
