import { env } from "cloudflare:workers";
import { inject } from "vitest";
import type { Env } from "../../src/config.ts";
import { connect } from "../../src/features/bookings/connection.ts";
import { LIMITS, type Limits } from "../../src/features/bookings/progress.ts";
import { type SyncRequest, syncBookings } from "../../src/features/bookings/sync.ts";
import type { Fault } from "../fakes/bookingsvc/server.ts";
import type { Booking, NewBooking } from "../fakes/bookingsvc/world.ts";
import { service, systemCtx } from "../harness.ts";

/** Patient enough to try again, quick enough for a test. */
export const QUICK: Limits = { ...LIMITS, pace: { callMs: 400, attempts: 3, firstWaitMs: 5, maxWaitMs: 4000 } };

/** A fresh account at the fake provider, connected to an empty calendar. */
export async function newAccount() {
  const key = `cal_${crypto.randomUUID()}`;
  const base = inject("bookingProviderUrl");
  const vars: Partial<Env> = { BOOKINGSVC_BASE_URL: `${base}/v2` };
  await env.DB.batch(
    ["DELETE FROM events", "DELETE FROM booking_connection", "DELETE FROM sync_runs"].map((sql) => env.DB.prepare(sql)),
  );
  const context = () => systemCtx(vars);

  async function control<T>(verb: string, command: object = {}): Promise<T> {
    const response = await fetch(`${base}/control/${key}/${verb}`, { method: "POST", body: JSON.stringify(command) });
    if (!response.ok) throw new Error(`${verb}: ${await response.text()}`);
    return response.json();
  }

  await connect(context(), { apiKey: key, webhookSecret: "a webhook secret" });
  return {
    key,
    vars,
    client: service(vars),
    context,
    sync: (request: Partial<SyncRequest> = {}, limits: Limits = QUICK) =>
      syncBookings(context(), { trigger: "manual", ...request }, limits),
    book: (...bookings: NewBooking[]) => control<Booking[]>("book", { bookings }),
    change: (uid: string, change: Partial<Booking>) => control<Booking>("change", { uid, change }),
    reschedule: (uid: string, start: Date) => control<Booking>("reschedule", { uid, start }),
    cancel: (uid: string, reason?: string) => control<Booking>("cancel", { uid, reason }),
    faults: (...faults: Fault[]) => control("faults", { faults }),
    limit: (limit: number) => control("limit", { limit }),
    revoke: () => control("revoke"),
    requests: () => control<{ path: string; query: string; version?: string }[]>("requests"),
    truth: () => control<Booking[]>("bookings"),
    async events(query = "") {
      const { body } = await service(vars).get(`/api/calendar/events?limit=100${query}`);
      return body.data;
    },
  };
}

export type Account = Awaited<ReturnType<typeof newAccount>>;

/** Tomorrow at ten plus so many hours, so that bookings lie apart. */
export function slot(hours: number): Date {
  const day = new Date();
  day.setUTCHours(10, 0, 0, 0);
  return new Date(day.getTime() + (24 + hours) * 3_600_000);
}
