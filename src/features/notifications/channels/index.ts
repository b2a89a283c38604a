import type { PersonalChannel } from "../../../lib/channels.ts";
import type { Sender } from "../notice.ts";
import { email } from "./email.ts";
import { push } from "./push.ts";

/**
 * What sends by each channel. Webhooks and the console are told by triggers, when the row of a reminder is written
 * (`db/triggers/reminders.sql`, `db/triggers/told.ts`).
 */
export const SENDERS: Record<PersonalChannel, Sender> = { push, email };
