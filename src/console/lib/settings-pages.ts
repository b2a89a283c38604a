import { settingsActions as a, settingsPages as names, shortTwoFactor } from "../messages/settings-pages.ts";

export type SettingsPageId = keyof typeof names;

export interface SettingsPage {
  id: SettingsPageId;
  label: string;
  /** For the narrow list beside the page. */
  short: string;
  icon: string;
  group: "you" | "access" | "account" | "service";
  /** Only the owner can change what is on it. */
  isOwners?: boolean;
}

const page = (id: SettingsPageId, icon: string, group: SettingsPage["group"], isOwners = false): SettingsPage => ({
  id,
  label: names[id],
  short: id === "two-factor" ? shortTwoFactor : names[id],
  icon,
  group,
  isOwners,
});

/** Every page of Settings, in its order. */
export const SETTINGS_PAGES: readonly SettingsPage[] = [
  page("profile", "user", "you"),
  page("notifications", "bell", "you"),
  page("working-hours", "clock", "you"),
  page("email", "mail", "you"),
  page("snippets", "edit", "you"),
  page("mailboxes", "inbox", "you", true),
  page("lists", "list", "you"),
  page("calendars", "calendar", "you"),
  page("security", "shield", "access"),
  page("two-factor", "keyboard", "access"),
  page("sessions", "device", "access"),
  page("api-keys", "key", "access"),
  page("connections", "plug", "access"),
  page("webhooks", "send", "access"),
  page("tokens", "meter", "account"),
  page("billing", "card", "account"),
  page("data", "data", "account"),
  page("ai-keys", "key", "service", true),
  page("models", "chip", "service", true),
  page("service", "pulse", "service", true),
];

export const settingsPath = (id: SettingsPageId) => `/app/settings/${id}`;

interface SettingsAction {
  label: string;
  page: SettingsPageId;
  act?: string;
  isOwners?: boolean;
}

/** What can be done in Settings, for the palette. `do` in the address begins it. */
export const SETTINGS_ACTIONS: readonly SettingsAction[] = [
  { label: a.password, page: "security", act: "password" },
  { label: a.address, page: "profile", act: "address" },
  { label: a.twoFactor, page: "two-factor" },
  { label: a.sessions, page: "sessions", act: "end" },
  { label: a.apiKey, page: "api-keys", act: "new" },
  { label: a.webhook, page: "webhooks", act: "new" },
  { label: a.rule, page: "email", act: "rule" },
  { label: a.identity, page: "email", act: "identity" },
  { label: a.mailbox, page: "mailboxes", act: "new", isOwners: true },
  { label: a.block, page: "email", act: "block" },
  { label: a.list, page: "lists", act: "new" },
  { label: a.snippet, page: "snippets", act: "new" },
  { label: a.feed, page: "calendars" },
  { label: a.importCalendar, page: "calendars" },
  { label: a.budget, page: "tokens", act: "budget", isOwners: true },
  { label: a.export, page: "data" },
  { label: a.deleteAccount, page: "data", act: "delete" },
  { label: a.check, page: "service" },
];
