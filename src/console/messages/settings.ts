import type { settingsPages } from "./settings-pages.ts";

const texts: Record<keyof typeof settingsPages, string> = {
  profile: "Name, email address, time zone, language and theme",
  notifications: "Reminders, quiet hours, daily brief and devices",
  "working-hours": "When you work: free times are offered within these hours",
  email: "Sender identities, rules, blocked senders and retention",
  snippets: "Texts that you insert into emails by a short name",
  mailboxes: "Gmail, iCloud, Fastmail or any IMAP server, read and answered here",
  lists: "The lists that your tasks can be in",
  calendars: "The link for other calendar programs, and calendar files",
  security: "Password, sign-ins and account activity",
  "two-factor": "A second step at sign-in, and backup codes",
  sessions: "Where you are signed in",
  "api-keys": "Keys for your own programs",
  connections: "Agents that you have allowed to use your data",
  webhooks: "Notify your programs of events",
  tokens: "What the AI uses, your budget and alerts",
  billing: "Plan, usage, payment methods and invoices",
  data: "Export, import and deletion",
  "ai-keys": "Keys of AI providers, and servers of your own",
  models: "Which model answers",
  service: "Health, storage, queues and background jobs",
};

export const settings = {
  heading: "Settings",
  lead: "Manage your account and this service.",
  navigation: "Settings",
  back: "All settings",
  licenses: "Third-party licenses",
  groups: { you: "You", access: "Security and access", account: "Account", service: "Service" },
  texts,
  onlyOwner: "Only the owner can change this",
  onlyOwnerText: "These settings apply to the whole service. Ask its owner to change them.",
  cancel: "Cancel",
};
