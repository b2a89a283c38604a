import { navigate } from "../../lib/router.ts";
import type { Email } from "./boxes.ts";

/** A new event in the calendar, which leads back to the email. */
export function startEvent({ id, subject }: Email): void {
  navigate(`/app/calendar?${new URLSearchParams({ new: "1", title: subject, email: String(id) })}`);
}

/** A new rule for all emails of the sender. */
export function startRule({ from }: Email): void {
  navigate(`/app/settings/email?${new URLSearchParams({ do: "rule", from: from.email })}`);
}
