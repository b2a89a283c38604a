import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { uploadOf } from "../../http/upload.ts";
import { validationFailed } from "../../lib/errors.ts";
import { exportContacts, importContacts } from "./cards.ts";
import { relatedTo } from "./related.ts";
import {
  Contact,
  ContactChanges,
  ContactDeletion,
  ContactImport,
  ContactPage,
  ContactQuery,
  ContactRelated,
  DeletedContact,
  NewContact,
} from "./schemas.ts";
import { createContact, deleteContact, getContact, listContacts, restoreContact, updateContact } from "./service.ts";

export const routes = createRouter();

const FILE = { types: ["text/vcard", "text/x-vcard", "application/octet-stream"], maxBytes: 5 * 1024 * 1024 } as const;

routes.endpoint("get", "/api/contacts", {
  operationId: "listContacts",
  summary: "List contacts",
  description:
    "Returns people you exchanged emails or events with, and people you saved. Newsletters, automatic senders and spam " +
    "are left out. Use `?q=da&limit=8` to complete a name.",
  guard: data("emails:read"),
  query: ContactQuery,
  returns: { 200: ContactPage },
  handle: ({ ctx, query }) => listContacts(ctx, query),
});

routes.endpoint("post", "/api/contacts", {
  operationId: "createContact",
  summary: "Save a contact",
  description:
    "Saves a person. If one of the addresses was added by itself, that contact is saved with these details, and keeps " +
    "its id and its counts. Programs get 409 `contact_exists` for it, because only a person can change a contact.",
  guard: data("emails:write"),
  body: NewContact,
  returns: { 201: Contact },
  errors: ["contact_exists"],
  idempotent: true,
  handle: ({ ctx, body }) => createContact(ctx, body),
});

routes.endpoint("get", "/api/contacts/export", {
  operationId: "exportContacts",
  summary: "Export contacts as vCard",
  description: "Returns the saved contacts as a .vcf file (vCard 4.0), which other address books can import.",
  guard: data("emails:read"),
  returns: { 200: { type: "text/vcard", description: "The saved contacts" } },
  handle: async ({ c, ctx }) =>
    c.body(await exportContacts(ctx), 200, {
      "Content-Type": "text/vcard; charset=utf-8",
      "Content-Disposition": 'attachment; filename="contacts.vcf"',
    }),
});

routes.endpoint("post", "/api/contacts/import", {
  operationId: "importContacts",
  summary: "Import a vCard file",
  description:
    "Saves the people of a .vcf file (vCard 2.1, 3.0 or 4.0; at most 5 MiB and 5,000 cards). A card with the address of " +
    "a contact adds what that contact does not have, and replaces nothing, so a file can be imported again. A contact " +
    "has at most 20 addresses and 20 phone numbers; further ones are left out. A program that imports a file only " +
    "adds contacts: those that exist stay as they are.",
  guard: data("emails:write"),
  rateLimit: "expensive",
  upload: FILE,
  returns: { 200: ContactImport },
  handle: async ({ c, ctx }) => {
    const file = await uploadOf(c);
    if (!file) throw validationFailed({ path: "", message: "Send the vCard file as the body, not JSON" });
    return importContacts(ctx, decoded(file.bytes));
  },
});

routes.endpoint("get", "/api/contacts/{id}", {
  operationId: "getContact",
  summary: "Get a contact",
  description: "Returns the contact. Its emails are at `GET /api/emails?q=from:address`.",
  guard: data("emails:read"),
  returns: { 200: Contact },
  // The counts change without the version.
  ifNoneMatch: false,
  handle: ({ ctx, params }) => getContact(ctx, params.id),
});

routes.endpoint("get", "/api/contacts/{id}/related", {
  operationId: "getContactRelated",
  summary: "Get what you have with a contact",
  description:
    "Returns what is open between you and this person: upcoming events, open tasks, emails without an answer yet, and " +
    "the latest files. Emails in spam and trash are left out.",
  guard: data("emails:read"),
  returns: { 200: ContactRelated },
  handle: ({ ctx, params }) => relatedTo(ctx, params.id),
});

routes.endpoint("patch", "/api/contacts/{id}", {
  operationId: "updateContact",
  summary: "Update a contact",
  description:
    "Changes the contact. One that was added by itself is saved by this. An address of another contact that was added " +
    "by itself moves here, with its counts. Only a person can change a contact: programs get 403 `forbidden`.",
  guard: data("emails:write"),
  body: ContactChanges,
  returns: { 200: Contact },
  errors: ["forbidden", "nothing_to_update", "contact_exists"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateContact(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/contacts/{id}", {
  operationId: "deleteContact",
  summary: "Delete a contact",
  description:
    "Deletes the contact. Its emails and events stay. The next email from the person adds it again. Returns what takes " +
    "the deletion back. Only a person can delete a contact: programs get 403 `forbidden`.",
  guard: data("emails:write"),
  returns: { 200: ContactDeletion },
  errors: ["forbidden"],
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteContact(ctx, params.id, ifMatch),
});

routes.endpoint("post", "/api/contacts/restore", {
  operationId: "restoreContact",
  summary: "Restore a deleted contact",
  description:
    "Takes back a deletion within a day. The contact has its id, its details and its counts again, and a higher " +
    "`version`. Somebody who was added by themselves since, with one of its addresses, becomes part of it. " +
    "`contact_exists`: another saved contact has one of the addresses. `undo_outdated`: it was restored before. " +
    "`not_found`: a day has passed.",
  guard: data("emails:write"),
  body: DeletedContact,
  returns: { 200: Contact },
  errors: ["forbidden", "contact_exists", "undo_outdated", "not_found"],
  handle: ({ ctx, body }) => restoreContact(ctx, body.undo),
});

/** Older address books write files in UTF-16, or in the encoding of Windows. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
