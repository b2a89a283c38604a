import type { SettingsPageId } from "../lib/settings-pages.ts";

const texts: Record<SettingsPageId, string> = {
  profile: "Name, email address, time zone, language and theme",
  notifications: "Reminders, quiet hours, daily brief and devices",
  "working-hours": "When you work: free times are offered within these hours",
  email: "Sender identities, rules, blocked senders and how long emails are kept",
  lists: "The lists that your tasks can be in",
  calendars: "The link for other calendar programs, and calendar files",
  security: "Password, sign-ins and what was done with your account",
  "two-factor": "A second step at sign-in, and backup codes",
  sessions: "Where you are signed in",
  "api-keys": "Keys for your own programs",
  connections: "Agents that you have allowed to use your data",
  webhooks: "Addresses that are told when something happens",
  tokens: "What the AI uses, your budget and alerts",
  billing: "Plan, usage, payment methods and invoices",
  data: "Export, import and deletion",
  "ai-keys": "Keys of AI providers, and servers of your own",
  models: "Which model answers",
  service: "Health, storage, queues and background jobs",
};

export const settings = {
  heading: "Settings",
  lead: "Everything that you can decide about.",
  navigation: "Settings",
  back: "All settings",
  groups: { you: "You", access: "Security and access", account: "Account", service: "Service" },
  texts,
  onlyOwner: "Only the owner can change this",
  onlyOwnerText: "This page is about the whole service. Ask its owner if something should be different.",
  cancel: "Cancel",
  save: "Save",
  delete: "Delete",
  edit: "Edit",
  notLoaded: "This could not be loaded",
  never: "Never",
};
