import { plural } from "./plural.ts";

export const data = {
  export: "Export",
  exportLead:
    "A ZIP archive of all your data: original emails, attachments, tasks, events and settings. Secrets are not included.",
  startExport: "Start an export",
  quickExport: "Download as one JSON file",
  quickFile: "poa-export.json",
  notExported: "The export was not started.",
  notDownloaded: "The file could not be downloaded.",
  states: {
    queued: "Waiting",
    running: "Running",
    succeeded: "Done",
    failed: "Failed",
    cancelled: "Cancelled",
  },
  nothing: "Nothing imported",
  progress: (done: string, total: string | null, things: string) =>
    total === null ? `${done} ${things} so far` : `${done} of ${total} ${things}`,
  things: { record: ["record", "records"], email: ["email", "emails"], event: ["event", "events"] },
  progressOf: "Progress",
  archive: (size: string, records: string, files: string) => `${size}, ${records} records, ${files} files`,
  until: (text: string) => `kept until ${text}`,
  from: (name: string | null, text: string) => (name === null ? `from ${text}` : `${name}, ${text}`),
  missing: (count: number) => `${plural(count, "file", "files")} no longer in the store`,
  download: "Download",
  exportRemoved: { button: "Delete", done: "The export was deleted." },
  remove: "Remove from this list",
  cancel: "Cancel",
  removed: "Removed from the list.",
  notRemoved: "It was not removed.",
  import: "Import an archive",
  importLead: "Imports the archive of an export into an empty service. Your account keeps its address and password.",
  importOwner: "Only the owner can import an archive.",
  chooseArchive: "Choose an archive",
  uploading: (done: number, total: number) => `Sending part ${done} of ${total}`,
  notImported: "The archive was not imported.",
  imported: (records: string, files: string, account: string) => `${records} records and ${files} files of ${account}`,
  leftOut: (name: string, count: string, reason: string) => `${count} ${name} left out: ${reason}`,
  changed: (name: string, count: string, reason: string) => `${count} ${name} changed: ${reason}`,
  emails: "Import emails",
  emailsLead:
    "A message (.eml) or a mailbox (.mbox), as Gmail and Thunderbird export it. Existing emails do not change. Imported emails create no tasks or events.",
  emailPlace: "Where they go",
  emailPlaceHint:
    "Spam and trash of the file stay there. “As the file says” follows Gmail labels; emails without labels are archived.",
  emailPlaces: {
    recent: "The last 30 days to the inbox, older to the archive",
    "": "As the file says",
    inbox: "All to the inbox",
    archived: "All to the archive",
  },
  emailAnalyze: "Analyze them",
  emailAnalyzeHint:
    "Urgency, summary and whether an answer is needed, for received emails outside spam and trash. With a model, this costs tokens.",
  emailsIn: (count: string, box: string) => `${count} in ${box}`,
  emailBoxes: { inbox: "Inbox", archived: "Archive", spam: "Spam", trash: "Trash" },
  emailsNotImported: "The emails were not imported.",
  chooseEmails: "Choose a file",
  emailResult: (created: number, duplicates: number, skipped: number) =>
    [
      plural(created, "new email", "new emails"),
      duplicates > 0 && `${duplicates} already existed`,
      skipped > 0 && `${skipped} left out`,
    ]
      .filter(Boolean)
      .join(", "),
  calendarResult: (created: number, updated: number, unchanged: number, skipped: number) =>
    [
      `${created} new`,
      updated > 0 && `${updated} changed`,
      unchanged > 0 && `${unchanged} the same`,
      skipped > 0 && `${skipped} left out`,
    ]
      .filter(Boolean)
      .join(", "),
  noJobs: "None in the last 7 days.",
  problems: (count: number, [one, many]: readonly string[]) =>
    `Why ${plural(count, `${one} was`, `${many} were`)} left out`,
  delete: "Delete the account",
  deleteLead: "This cannot be undone. Export your data first if you may need it.",
  deleteButton: "Delete my account",
  deleteTitle: "Delete your account",
  willGo: "This will be deleted for good:",
  goes: {
    profile: "Your profile, settings and chats",
    access: (sessions: number, keys: number) =>
      `${plural(sessions, "session", "sessions")} and ${plural(keys, "API key", "API keys")}, which stop working at once`,
    service: (emails: string, tasks: string, events: string) => `${emails} emails, ${tasks} tasks and ${events} events`,
    serviceMember: "Emails, tasks and events belong to the service and stay.",
    onlyLast: "If yours is the last account; otherwise they stay with the next owner",
    connections: (webhooks: number) =>
      `${plural(webhooks, "webhook", "webhooks")}, agents, calendar link and booking connection`,
  },
  confirm: "Your email address, to confirm",
  confirmHint: (address: string) => `Type ${address}`,
  enterConfirm: "Type your email address.",
  confirmWrong: (address: string) => `This is not the address of your account. Type ${address}.`,
  newOwner: "Email address of the next owner",
  newOwnerHint: "Other accounts exist. One of them has to own the service.",
  deleted: "Your account was deleted.",
  cancelDelete: "Keep my account",
};
