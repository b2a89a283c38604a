import { z } from "@hono/zod-openapi";
import { EmailAddress } from "../../http/address-schemas.ts";
import { doc, Id, listOf, named, Timestamp, versionFields } from "../../http/schemas.ts";
import {
  FOLDER_ROLES,
  MAIL_SERVER_TLS,
  MAILBOX_RUN_STATUSES,
  MAILBOX_RUN_TRIGGERS,
  MAILBOX_STATUSES,
} from "../../lib/mailbox-kinds.ts";

const MAX_HISTORY_DAYS = 365;
const DEFAULT_HISTORY_DAYS = 30;

// Not a named schema: one that is first met as nullable would be nullable everywhere.
const server = (host: string, port: number) =>
  z.object({
    host: doc(z.string(), "Name of the server.", host),
    port: doc(z.int(), "Its port.", port),
    tls: doc(z.enum(MAIL_SERVER_TLS), "`implicit`: encrypted from the start. `starttls`: after STARTTLS.", "implicit"),
  });
const Imap = server("imap.example.com", 993);
const Smtp = server("smtp.example.com", 465);

const serverInput = (host: string, port: number) =>
  z.object({
    host: doc(z.string().trim().toLowerCase().min(1).max(253), "Name of the server.", host),
    port: doc(z.int().min(1).max(65_535), "Its port.", port),
    tls: doc(
      z.enum(MAIL_SERVER_TLS).optional(),
      "`implicit`: encrypted from the start. `starttls`: after STARTTLS. Default: by the port; `starttls` for 143 and 587.",
    ),
  });
const ImapInput = serverInput("imap.example.com", 993);
const SmtpInput = serverInput("smtp.example.com", 465);

export const MailboxPresetList = named("MailboxPresetList", () => ({
  data: doc(
    z.array(
      z.object({
        id: doc(z.string(), "Short name of the provider.", "gmail"),
        name: doc(z.string(), "The provider's name.", "Gmail"),
        domains: doc(z.array(z.string()), "Addresses at these domains are the provider's.", ["gmail.com"]),
        canConnect: doc(z.boolean(), "Whether such a mailbox can be connected with a password.", true),
        servers: doc(
          z
            .object({ imap: doc(Imap, "The server for receiving."), smtp: doc(Smtp, "The server for sending.") })
            .nullable(),
          "The servers. Null if the mailbox cannot be connected.",
        ),
        advice: doc(
          z.string(),
          "Where the password is made, in the provider's words, or why the mailbox cannot be connected.",
          "Create an “App password”.",
        ),
        url: doc(z.string(), "The provider's page for it.", "https://myaccount.google.com/apppasswords"),
      }),
    ),
    "The known providers.",
  ),
}));

const PASSWORD =
  "The password of the mailbox, at most providers an app password made for this service. Encrypted at rest and never returned.";
const Password = z.string().min(1).max(1000);
const Username = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .refine((text) => !/\p{Cc}/u.test(text), "must be one line");

const connection = {
  password: doc(Password, PASSWORD, "abcd efgh ijkl mnop"),
  username: doc(Username.optional(), "User name at both servers. Default: the address.", "ada@example.org"),
  imap: doc(ImapInput.optional(), "The server for receiving. Default: that of the address's provider, if it is known."),
  smtp: doc(SmtpInput.optional(), "The server for sending. Default: that of the address's provider, if it is known."),
};

export const MailboxTest = named(
  "MailboxTest",
  () => ({ address: doc(EmailAddress, "The email address.", "ada@example.org"), ...connection }),
  {
    example: {
      address: "ada@example.org",
      password: "abcd efgh ijkl mnop",
      imap: { host: "imap.example.org", port: 993 },
      smtp: { host: "smtp.example.org", port: 465 },
    },
  },
);
export type MailboxTest = z.output<typeof MailboxTest>;

const checked = {
  ok: doc(z.boolean(), "Whether the login worked.", true),
  step: doc(
    z.string().nullable(),
    "What failed, such as `address`, `connect`, `tls` or `login`; null if nothing did, or it was not tried.",
    null,
  ),
  code: doc(z.string().nullable(), "Such as `mailbox_auth_failed` or `mailbox_unreachable`; null like `step`.", null),
  reason: doc(z.string().nullable(), "Why, in plain English. May quote the server. Null if all is well.", null),
  capabilities: doc(z.array(z.string()), "What the server says it can do.", ["IDLE", "MOVE"]),
};

export const MailboxTestResult = named("MailboxTestResult", () => ({
  imap: doc(
    z.object({
      ...checked,
      folders: doc(
        z.array(
          z.object({
            name: doc(z.string(), "Name of the folder.", "INBOX"),
            role: doc(
              z.enum(FOLDER_ROLES).nullable(),
              "What it would be used as; null: it would not be read.",
              "inbox",
            ),
          }),
        ),
        "The folders of the mailbox.",
      ),
    }),
    "Receiving.",
  ),
  smtp: doc(
    z.object({
      ...checked,
      maxSize: doc(
        z.int().nullable(),
        "Largest message in bytes that the server takes; null if it does not say.",
        null,
      ),
    }),
    "Sending.",
  ),
}));
export type MailboxTestResult = z.infer<typeof MailboxTestResult>;

const LABEL = "Short name, to tell mailboxes apart and for the search operator `mailbox:`. One for each mailbox.";
const NAME = "The name that recipients see. Null: yours.";
const HISTORY =
  "How many days of older messages are read when the mailbox is first read. They create no tasks, reminders or " +
  "notifications, and are not analyzed on arrival.";
const PAUSED = "Whether you paused it: it is not read by itself.";

const Label = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((text) => !/\p{Cc}/u.test(text), "must be one line")
  .refine((text) => !/^\d+$/.test(text), "must not be a number alone");
const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), "must be one line");
const HistoryDays = z.int().min(1).max(MAX_HISTORY_DAYS);

export const NewMailbox = named(
  "NewMailbox",
  () => ({
    address: doc(EmailAddress, "The email address.", "ada@example.org"),
    ...connection,
    label: doc(Label.optional(), `${LABEL} Default: the address.`, "Private"),
    name: doc(Name.nullable(), NAME).default(null),
    historyDays: doc(HistoryDays, `${HISTORY} Default: ${DEFAULT_HISTORY_DAYS}.`).default(DEFAULT_HISTORY_DAYS),
  }),
  {
    example: {
      address: "ada@example.org",
      password: "abcd efgh ijkl mnop",
      label: "Private",
      imap: { host: "imap.example.org", port: 993 },
      smtp: { host: "smtp.example.org", port: 465 },
    },
  },
);
export type NewMailbox = z.output<typeof NewMailbox>;

export const MailboxChanges = named(
  "MailboxChanges",
  () => ({
    label: doc(Label.optional(), LABEL),
    name: doc(Name.nullable().optional(), NAME),
    paused: doc(z.boolean().optional(), PAUSED),
    historyDays: doc(
      HistoryDays.optional(),
      `${HISTORY} More days than before are read in the next runs; fewer delete nothing.`,
    ),
    password: doc(Password.optional(), `${PASSWORD} Required with another user name, server or port.`),
    username: doc(Username.optional(), "User name at both servers."),
    imap: doc(ImapInput.optional(), "The server for receiving."),
    smtp: doc(SmtpInput.optional(), "The server for sending."),
  }),
  { example: { label: "Work", paused: true } },
);
export type MailboxChanges = z.output<typeof MailboxChanges>;

const count = (description: string) => doc(z.int(), description, 0);

export const MailboxRun = named("MailboxRun", () => ({
  runId: doc(z.string(), "Id of the run.", "3q2vJ0m7T1uVq2hN5b8xcQ"),
  mailboxId: Id,
  trigger: doc(z.enum(MAILBOX_RUN_TRIGGERS), "What started the run.", "cron"),
  full: doc(z.boolean(), "Whether everything was compared again.", false),
  status: doc(
    z.enum(MAILBOX_RUN_STATUSES),
    "Result. `partial`: the run stopped early, and the next one continues.",
    "succeeded",
  ),
  fetched: count("Messages that were read."),
  created: count("Emails that were stored."),
  known: count("Messages that were stored already."),
  flagsIn: count("Emails whose read flag or star changed there, and now here."),
  flagsOut: count("Messages whose read flag or star changed here, and now there."),
  movesIn: count("Emails that were moved there, and now here."),
  movesOut: count("Messages that were moved here, and now there."),
  appended: count("Sent emails that were put into the mailbox's folder of sent emails."),
  conflicts: count("Emails that had been moved on both sides. The mailbox's place counts."),
  skipped: count("Messages that could not be read; see `errors`."),
  waiting: count("Messages that the next runs read."),
  errors: doc(z.array(z.string()), "Problems of the run, at most 50. May quote the server.", []),
  startedAt: doc(Timestamp, "When the run started."),
  finishedAt: doc(Timestamp.nullable(), "When the run ended; null while it is running."),
}));
export const MailboxRunList = listOf(MailboxRun, "MailboxRunList");

export const Mailbox = named("Mailbox", () => ({
  id: Id,
  label: doc(z.string(), LABEL, "Private"),
  address: doc(z.string(), "The email address.", "ada@example.org"),
  name: doc(z.string().nullable(), NAME, "Ada Lovelace"),
  imap: doc(Imap, "The server for receiving."),
  smtp: doc(Smtp, "The server for sending."),
  username: doc(z.string(), "User name at both servers.", "ada@example.org"),
  status: doc(
    z.enum(MAILBOX_STATUSES),
    "`connected`: the last run succeeded. `unverified`: no login has worked yet, because a server could not be used. " +
      "`failing`: the last runs failed, and it is tried again at `nextTryAt`. `auth_failed`: the server refused the " +
      "password, and it is not tried again until you change it. `stopped`: so many messages were missing at once that " +
      "nothing is done until you ask for a full run.",
    "connected",
  ),
  reason: doc(z.string().nullable(), "Why, in plain English; null while all is well. May quote the server.", null),
  code: doc(z.string().nullable(), "The same as a code, such as `mailbox_unreachable`.", null),
  paused: doc(z.boolean(), PAUSED, false),
  historyDays: doc(z.int(), HISTORY, DEFAULT_HISTORY_DAYS),
  connectedAt: doc(Timestamp.nullable(), "When a login first worked; null if none has."),
  lastOkAt: doc(Timestamp.nullable(), "When the last run succeeded; null if none has."),
  nextTryAt: doc(
    Timestamp.nullable(),
    "When it is read next, at the earliest; null if it is not read by itself: paused, stopped, or its password refused.",
  ),
  walk: doc(
    z
      .object({
        done: doc(z.int(), "Older messages that were read.", 120),
        waiting: doc(z.int(), "Older messages that are still to be read, as far as they were counted.", 194),
      })
      .nullable(),
    "Progress of reading the older messages; null once they are read.",
  ),
  lastRun: doc(z.object(MailboxRun.shape).nullable(), "The latest run; null if there was none."),
  ...versionFields,
}));
export type Mailbox = z.infer<typeof Mailbox>;

export const MailboxList = named("MailboxList", () => ({
  data: doc(z.array(Mailbox), "The mailboxes, oldest first."),
}));

const ROLE =
  "`inbox`, `sent`, `archive` and `trash` are kept in step with the same places here. Null: the folder is not read.";

const MailboxFolder = named("MailboxFolder", () => ({
  id: Id,
  name: doc(z.string(), "Name of the folder.", "INBOX"),
  role: doc(z.enum(FOLDER_ROLES).nullable(), ROLE, "inbox"),
  roleIsChosen: doc(z.boolean(), "Whether you chose the role. Otherwise it follows what the server says.", false),
}));

export const MailboxFolderList = named("MailboxFolderList", () => ({
  data: doc(z.array(MailboxFolder), "The folders; empty until the mailbox was reached once."),
}));
export type MailboxFolderList = z.infer<typeof MailboxFolderList>;

export const MailboxFolderChanges = named(
  "MailboxFolderChanges",
  () => ({
    folders: doc(
      z
        .array(
          z.object({
            id: doc(Id, "Id of the folder."),
            role: doc(z.enum(FOLDER_ROLES).nullable(), ROLE, "archive"),
          }),
        )
        .min(1)
        .max(200),
      "The folders to change. `inbox`, `sent`, `archive` and `trash` can each be the role of one folder.",
    ),
  }),
  { example: { folders: [{ id: 1, role: "inbox" }] } },
);
export type MailboxFolderChanges = z.output<typeof MailboxFolderChanges>;
