import { z } from "@hono/zod-openapi";
import { doc, FlagParam, Id, listOf, named, pageParams, Timestamp, versionFields } from "../../http/schemas.ts";
import { isEmailAddress } from "../../lib/addresses.ts";
import { EMAIL_STATUSES } from "../../lib/email-kinds.ts";
import { quoting, readBy } from "../../lib/receipts.ts";
import { Event } from "../calendar/events/schemas.ts";
import { EmailSummary } from "../emails/schemas.ts";
import { Task } from "../tasks/schemas.ts";

/** Of addresses, and of phone numbers. */
export const MAX_CONTACT_ENTRIES = 20;
export const MAX_CONTACT_NAME = 200;
export const MAX_CONTACT_NOTES = 5000;

const Phone = z.object({
  label: doc(z.string().trim().max(50), "What kind of number it is. Empty if nobody said.", "mobile").default(""),
  number: doc(z.string().trim().min(1).max(50), "The number as it was written.", "+49 30 1234567"),
});

export const Contact = named("Contact", () => ({
  id: Id,
  name: doc(z.string(), "Name. Empty if nobody has said it.", "Dana Weiss"),
  addresses: doc(z.array(z.string()), "Email addresses in lower case. New emails go to the first one.", [
    "dana@example.com",
  ]),
  company: doc(z.string(), "Company or organization.", "Weiss & Co"),
  phones: doc(z.array(Phone), "Phone numbers."),
  notes: doc(z.string(), "Your notes.", "Met at the trade fair."),
  isSaved: doc(
    z.boolean(),
    "Whether it was saved or imported. Others were added by themselves: you exchanged emails or events with them.",
    true,
  ),
  outside: doc(z.boolean(), "Whether any of its words may come from other people or programs.", false),
  received: doc(z.int(), "Number of emails that came from these addresses, deleted ones included.", 12),
  sent: doc(z.int(), "Number of emails that you sent to these addresses, deleted ones included.", 7),
  lastAt: doc(Timestamp.nullable(), "When you last exchanged an email or an event; null if never."),
  ...versionFields,
}));
readBy("emails:read", Contact);
export type Contact = z.infer<typeof Contact>;

const ContactFile = named("ContactFile", () => ({
  emailId: doc(Id, "The email that it is attached to."),
  n: doc(z.int().min(1), "Number of the attachment in its email: `GET /api/emails/{emailId}/attachments/{n}`.", 1),
  name: doc(z.string(), "File name.", "offer.pdf"),
  type: doc(z.string(), "Media type.", "application/pdf"),
  size: doc(z.int(), "Size in bytes.", 51_877),
  subject: doc(z.string(), "Subject of the email.", "Our offer"),
  status: doc(z.enum(EMAIL_STATUSES), "Where the email is.", "inbox"),
  receivedAt: doc(Timestamp, "When the email was received or sent."),
}));

export const ContactRelated = named("ContactRelated", () => ({
  events: quoting(
    "calendar:read",
    doc(
      z.array(Event),
      "The next 5 events within 90 days with this person as a guest or organizer, by start. Empty for an API key without " +
        "the scope `calendar:read`.",
    ),
  ),
  tasks: quoting(
    "tasks:read",
    doc(
      z.array(Task),
      "Up to 5 open tasks, by due time, that were made from or linked to emails or events with this person. Your first " +
        "100 open tasks are looked at. Empty for an API key without the scope `tasks:read`.",
    ),
  ),
  unanswered: doc(
    z.array(EmailSummary),
    "Up to 5 emails that you sent to this person more than a day ago and that nobody has answered, newest first: nothing " +
      "came later in the thread, not even from you. An automatic reply is no answer.",
  ),
  files: doc(
    z.array(ContactFile),
    "The 8 latest files of emails from, to or with a copy to this person, newest first.",
  ),
}));
export type ContactRelated = z.infer<typeof ContactRelated>;

export const ContactPage = listOf(Contact, "Contacts");

export const ContactQuery = z.object({
  q: doc(
    z.string().trim().max(100),
    "Beginnings of words of the name, company or address. The person you are most likely to mean comes first: by the " +
      "last contact, how often you write to them, and whether you saved them. Without `q`, contacts are ordered by name.",
  ).optional(),
  saved: doc(FlagParam, "`true`: only saved contacts. `false`: only those that were added by themselves.").optional(),
  ...pageParams,
});
export type ContactQuery = z.output<typeof ContactQuery>;

const name = doc(
  z
    .string()
    .trim()
    .max(MAX_CONTACT_NAME)
    .refine((text) => !/[\r\n]/.test(text), "must be one line"),
  "Name.",
  "Dana Weiss",
);
export const Addresses = doc(
  z
    .array(z.string().trim().toLowerCase().refine(isEmailAddress, "must be an email address"))
    .max(MAX_CONTACT_ENTRIES)
    .transform((given) => [...new Set(given)]),
  "Email addresses. Each belongs to one contact. New emails go to the first one.",
  ["dana@example.com"],
);
const company = doc(z.string().trim().max(200), "Company or organization.", "Weiss & Co");
export const Phones = doc(z.array(Phone).max(MAX_CONTACT_ENTRIES), "Phone numbers.");
const notes = doc(z.string().max(MAX_CONTACT_NOTES), "Your notes.");

export const NewContact = named(
  "NewContact",
  () => ({
    name: name.min(1),
    addresses: Addresses.default([]),
    company: company.default(""),
    phones: Phones.default([]),
    notes: notes.default(""),
  }),
  { example: { name: "Dana Weiss", addresses: ["dana@example.com"], company: "Weiss & Co" } },
);
export type NewContact = z.output<typeof NewContact>;

export const ContactChanges = named(
  "ContactChanges",
  () => ({
    name: name.min(1).optional(),
    addresses: Addresses.optional(),
    company: company.optional(),
    phones: Phones.optional(),
    notes: notes.optional(),
  }),
  { example: { company: "Weiss & Partners" } },
);
export type ContactChanges = z.output<typeof ContactChanges>;

export const ContactDeletion = named("ContactDeletion", () => ({
  id: Id,
  undo: doc(
    z.string(),
    "The contact, encrypted: send it to `POST /api/contacts/restore` within a day to take the deletion back. The service " +
      "keeps no copy.",
  ),
}));
export type ContactDeletion = z.infer<typeof ContactDeletion>;

export const DeletedContact = named(
  "DeletedContact",
  () => ({ undo: doc(z.string().min(1).max(100_000), "What the deletion returned.") }),
  { example: { undo: "v1.Wm9l…" } },
);

export const ContactImport = named("ContactImport", () => ({
  created: doc(z.int(), "Number of new contacts.", 40),
  updated: doc(z.int(), "Number of contacts that were there and got something new.", 3),
  unchanged: doc(z.int(), "Number of contacts that were there with all of it.", 0),
  skipped: doc(
    z.int(),
    "Number of cards that were not read: groups, cards without a name and an address, and cards that do not end.",
    1,
  ),
}));
export type ContactImport = z.infer<typeof ContactImport>;
