/** The names of the settings, which the palette knows on every screen. */
export const settingsPages = {
  profile: "Profile",
  notifications: "Notifications",
  "working-hours": "Working hours",
  email: "Email",
  mailboxes: "Mailboxes",
  lists: "Task lists",
  calendars: "Calendars",
  security: "Security",
  "two-factor": "Two-factor authentication",
  sessions: "Sessions",
  "api-keys": "API keys",
  connections: "Connections",
  webhooks: "Webhooks",
  tokens: "Tokens",
  billing: "Billing",
  data: "Data",
  "ai-keys": "AI keys",
  models: "Models",
  service: "Service",
};

export const shortTwoFactor = "Two-factor";

export const settingsActions = {
  password: "Change the password",
  address: "Change the email address",
  twoFactor: "Set up two-factor authentication",
  apiKey: "Create an API key",
  webhook: "Add a webhook",
  rule: "Add an email rule",
  block: "Block a sender",
  identity: "Add a sender identity",
  mailbox: "Connect a mailbox",
  list: "Add a task list",
  feed: "Create a calendar link",
  importCalendar: "Import a calendar file",
  budget: "Set the token budget",
  export: "Export your data",
  deleteAccount: "Delete the account",
  sessions: "End all other sessions",
  check: "Check the service's counters",
};
