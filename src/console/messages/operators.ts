export const RECENT_SEARCH = "Recent search";

/** What the words of a search can be, with an example of each. */
export const OPERATORS = [
  ["from:", "Sender", "from:ann"],
  ["to:", "Recipient, also in copy", "to:ann"],
  ["cc:", "In copy", "cc:ann"],
  ["subject:", "Words of the subject", 'subject:"trip to Ulm"'],
  ["has:", "Attachments of a kind", "has:pdf"],
  ["filename:", "Words of a file's name", "filename:offer"],
  ["larger:", "Larger than", "larger:5mb"],
  ["smaller:", "Smaller than", "smaller:100kb"],
  ["in:", "Where to look", "in:archive"],
  ["is:", "Unread, starred and so on", "is:unread"],
  ["tag:", "Tag", "tag:work"],
  ["before:", "Before a date", "before:2026-11-01"],
  ["after:", "On a date or later", 'after:"last week"'],
  ["on:", "On a day, or in a week, month or year", 'on:"last week"'],
  ["older:", "Older than", "older:1y"],
  ["newer:", "Newer than", "newer:7d"],
] as const;

export const VALUES: Record<string, readonly string[]> = {
  has: [
    "attachment",
    "pdf",
    "image",
    "document",
    "spreadsheet",
    "presentation",
    "calendar",
    "audio",
    "video",
    "archive",
  ],
  in: ["inbox", "archive", "sent", "snoozed", "spam", "trash", "anywhere"],
  is: ["unread", "read", "starred", "snoozed", "sent", "received"],
  on: ["today", "yesterday", '"last week"', '"last month"', '"this year"'],
  before: ["today", '"last week"', '"last month"', '"this year"'],
  after: ["today", '"last week"', '"last month"', '"this year"'],
  older: ["7d", "1m", "1y"],
  newer: ["7d", "1m", "1y"],
  larger: ["1mb", "5mb", "20mb"],
  smaller: ["100kb", "1mb"],
};
