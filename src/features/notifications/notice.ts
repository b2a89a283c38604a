import type { Context } from "../../context.ts";
import type { pushSubscriptions } from "../../db/schema/notifications.ts";
import type { Block } from "../../lib/notice.ts";
import type { ReminderDelivery } from "../../lib/reminder-kinds.ts";
import type { TimeStyle } from "../../lib/spoken-time.ts";
import type { NoticeKind } from "./kinds.ts";

/** What is said to a person. Everyone gets their own text, since everyone reads times in their own way. */
export interface Content {
  subject: string;
  blocks: readonly Block[];
  /** The same for a small screen. Default: the subject, with a link to the console. */
  short?: Short;
  /** For how long it is of use. Default: a day. */
  usefulMs?: number;
}

/** With what the buttons under it need to know. */
interface Short extends Record<string, unknown> {
  title: string;
  body: string;
  /** The page of the console that shows it. */
  url: string;
  /** A later notice with the same tag replaces this one. */
  tag: string;
}

export interface Notice extends Content {
  kind: NoticeKind;
}

export interface Recipient extends TimeStyle {
  id: number;
  name: string;
  email: string;
  timeZone: string;
}

export type Device = typeof pushSubscriptions.$inferSelect;

/** A person, and how the channels reach them. */
export interface Reach {
  person: Recipient;
  devices: readonly Device[];
}

/** The outcome of a try, and whether another one may succeed where this one has not. */
type Tried = Pick<ReminderDelivery, "outcome" | "detail"> & { isTemporary?: boolean };

export interface Sender {
  /** Why the channel cannot be used for this person or, without one, for anybody; null if it can. */
  whyUnusable(ctx: Context, reach?: Reach): Promise<string | null>;
  /** Never throws. */
  send(ctx: Context, reach: Reach, notice: Notice): Promise<Tried>;
}
