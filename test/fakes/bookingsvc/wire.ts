import { type Booking, EVENT_TYPES, HOST, type World } from "./world.ts";

export interface WireAnswer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const BOOKINGS_VERSION = "2024-08-13";
const EVENT_TYPES_VERSION = "2024-06-14";
const MAX_TAKE = 250;

/** Answers as the provider does, its odd corners included. */
export function answer(world: World, path: string, query: URLSearchParams, version: string | undefined): WireAnswer {
  if (path === "/v2/me")
    return success({ ...HOST, timeFormat: 24, weekStart: "Monday", username: "jane", organizationId: null });
  if (path === "/v2/event-types") {
    if (version !== EVENT_TYPES_VERSION) return failure(404, path, "NotFoundException", `Cannot GET ${path}`);
    return success(EVENT_TYPES.map(eventType));
  }
  if (path === "/v2/bookings") return list(world, path, query, version);
  const uid = /^\/v2\/bookings\/([\w-]+)$/.exec(path)?.[1];
  if (uid === undefined) return failure(404, path, "NotFoundException", `Cannot GET ${path}`);
  const series = [...world.bookings.values()].filter(({ recurringBookingUid }) => recurringBookingUid === uid);
  if (series.length > 0) return success(series.map(wireBooking));
  const booking = world.bookings.get(uid);
  return booking
    ? success(wireBooking(booking))
    : failure(404, path, "NotFoundException", `Booking with uid=${uid} was not found`);
}

function list(world: World, path: string, query: URLSearchParams, version: string | undefined): WireAnswer {
  const take = Number(query.get("take") ?? 100);
  const skip = Number(query.get("skip") ?? 0);
  if (!Number.isInteger(take) || take < 1 || take > MAX_TAKE) {
    return failure(400, path, "BadRequestException", "take must not be greater than 250", "take");
  }
  const dates = ["afterStart", "beforeEnd", "afterUpdatedAt", "beforeUpdatedAt", "afterCreatedAt", "beforeCreatedAt"];
  for (const name of dates) {
    const value = query.get(name);
    if (value !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) {
      return failure(400, path, "BadRequestException", `${name} must be a valid ISO 8601 date string`);
    }
  }
  const all = [...world.bookings.values()].filter((booking) => within(booking, query, false));
  const matching = all.filter((booking) => within(booking, query, true)).sort(order(query));
  const page = matching.slice(skip, skip + take);
  if (version !== BOOKINGS_VERSION) {
    return success({ bookings: page.map(oldBooking), recurringInfo: [], nextCursor: null });
  }
  const seen = skip + page.length;
  return {
    status: 200,
    body: {
      status: "success",
      data: page.map(wireBooking),
      // Counted without the filters on times of change and creation: it lies.
      pagination: {
        returnedItems: page.length,
        totalItems: all.length,
        itemsPerPage: take,
        remainingItems: Math.max(0, all.length - seen),
        currentPage: Math.floor(skip / take) + 1,
        totalPages: Math.ceil(all.length / take),
        hasNextPage: seen < all.length,
        hasPreviousPage: skip > 0,
      },
    },
  };
}

/** Bounds are inclusive. A row without the time asked for drops out. */
function within(booking: Booking, query: URLSearchParams, withChangeTimes: boolean): boolean {
  const holds = (name: string, value: string | null, isAfter: boolean) => {
    const bound = query.get(name);
    if (bound === null) return true;
    if (value === null) return false;
    return isAfter ? Date.parse(value) >= Date.parse(bound) : Date.parse(value) <= Date.parse(bound);
  };
  const inPlace = holds("afterStart", booking.start, true) && holds("beforeEnd", booking.end, false);
  if (!withChangeTimes) return inPlace;
  return (
    inPlace &&
    holds("afterUpdatedAt", booking.updatedAt, true) &&
    holds("beforeUpdatedAt", booking.updatedAt, false) &&
    holds("afterCreatedAt", booking.createdAt, true) &&
    holds("beforeCreatedAt", booking.createdAt, false)
  );
}

/** Unknown names, `sortUpdated` among them, are dropped without a word. */
function order(query: URLSearchParams): (a: Booking, b: Booking) => number {
  const fields = { sortStart: "start", sortEnd: "end", sortCreated: "createdAt", sortUpdatedAt: "updatedAt" } as const;
  for (const [name, field] of Object.entries(fields)) {
    const direction = query.get(name);
    if (direction === null) continue;
    const sign = direction === "desc" ? -1 : 1;
    // Rows of one moment come in no promised order; this one differs from the order of creation.
    return (a, b) => sign * (Date.parse(a[field] ?? "") - Date.parse(b[field] ?? "")) || b.id - a.id;
  }
  return (a, b) => a.id - b.id;
}

export function wireBooking(booking: Booking) {
  const isSeated = booking.attendees.some(({ seatUid }) => seatUid !== undefined);
  return {
    ...booking,
    hosts: booking.hosts.map((host) => ({ ...host, displayEmail: host.email, username: "jane" })),
    duration: (Date.parse(booking.end) - Date.parse(booking.start)) / 60_000,
    cancelledByEmail: "",
    absentHost: false,
    metadata: {},
    rating: null,
    attendees: booking.attendees.map((attendee) => ({
      ...attendee,
      displayEmail: attendee.email,
      language: "en",
      ...(attendee.seatUid !== undefined && { bookingFieldsResponses: {}, metadata: {} }),
    })),
    ...(!isSeated && { guests: [], bookingFieldsResponses: {} }),
  };
}

function oldBooking({ start, end, ...booking }: Booking) {
  return { ...booking, startTime: start, endTime: end };
}

function eventType(type: (typeof EVENT_TYPES)[number]) {
  return {
    ...type,
    ownerId: HOST.id,
    description: "",
    price: 0,
    currency: "usd",
    bookingUrl: `https://bookings.example.com/jane/${type.slug}`,
  };
}

function success(data: unknown): WireAnswer {
  return { status: 200, body: { status: "success", data } };
}

export function failure(status: number, path: string, code: string, message: string, details?: unknown): WireAnswer {
  return {
    status,
    body: {
      status: "error",
      timestamp: new Date().toISOString(),
      path,
      error: { code, message, ...(details !== undefined && { details }) },
    },
  };
}
