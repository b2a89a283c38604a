import { navigate, withQuery } from "../../lib/router.ts";

/** Back to the calendar alone: each dialog stands in the address. */
export function closeDialogs(): void {
  navigate(
    withQuery({ event: null, at: null, new: null, title: null, email: null, find: null, phone: null, zone: null }),
  );
}
