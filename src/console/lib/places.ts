import { shell } from "../messages/shell.ts";

/** The screens of the main navigation, in its order. A phone shows the first four and the rest under More. */
export interface MainPlace {
  label: string;
  href: string;
  /** Addresses that begin with this belong to it. */
  root: string;
  icon: string;
  keys: string;
}

export const PLACES: readonly MainPlace[] = [
  { label: shell.places.today, href: "/app", root: "/app", icon: "today", keys: "g t" },
  { label: shell.places.mail, href: "/app/mail/inbox", root: "/app/mail", icon: "mail", keys: "g i" },
  { label: shell.places.tasks, href: "/app/tasks", root: "/app/tasks", icon: "tasks", keys: "g k" },
  { label: shell.places.calendar, href: "/app/calendar", root: "/app/calendar", icon: "calendar", keys: "g c" },
  { label: shell.places.chat, href: "/app/chat", root: "/app/chat", icon: "chat", keys: "g a" },
  { label: shell.places.contacts, href: "/app/contacts", root: "/app/contacts", icon: "people", keys: "g p" },
  { label: shell.places.bookings, href: "/app/bookings", root: "/app/bookings", icon: "bookings", keys: "g b" },
  { label: shell.places.streams, href: "/app/streams", root: "/app/streams", icon: "streams", keys: "g l" },
  { label: shell.places.settings, href: "/app/settings", root: "/app/settings", icon: "settings", keys: "g s" },
];

export function isCurrent({ root }: MainPlace, path: string): boolean {
  return path === root || (root !== "/app" && path.startsWith(`${root}/`));
}
