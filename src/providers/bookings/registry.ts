import type { Config } from "../../config.ts";
import { bookingsvc } from "./bookingsvc/client.ts";
import type { BookingProvider } from "./provider.ts";

/** The provider that this service syncs from. */
export function bookingProviderOf({ BOOKINGSVC_BASE_URL }: Config): BookingProvider {
  return bookingsvc(BOOKINGSVC_BASE_URL);
}
