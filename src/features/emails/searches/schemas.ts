import { z } from "@hono/zod-openapi";
import { doc, Id, listOf, named, pageParams, versionFields } from "../../../http/schemas.ts";
import { readBy } from "../../../lib/receipts.ts";

const Name = doc(z.string().trim().min(1).max(100), "What it is called.", "Invoices of this month");
const Q = doc(
  z.string().trim().min(1).max(1000),
  "What is searched for, as `q` of `GET /api/emails`. Dates in words are read at each search.",
  'invoice has:pdf on:"this month"',
);

export const SavedSearch = named("SavedSearch", () => ({ id: Id, name: Name, q: Q, ...versionFields }));
readBy("emails:read", SavedSearch);
export type SavedSearch = z.infer<typeof SavedSearch>;
export const SavedSearchList = listOf(SavedSearch, "SavedSearchList");

const EXAMPLE = { name: "Invoices of this month", q: 'invoice has:pdf on:"this month"' };

export const NewSavedSearch = named("NewSavedSearch", () => ({ name: Name, q: Q }), { example: EXAMPLE });
export type NewSavedSearch = z.output<typeof NewSavedSearch>;

export const SavedSearchChanges = named("SavedSearchChanges", () => ({ name: Name.optional(), q: Q.optional() }), {
  example: { name: "Invoices" },
});
export type SavedSearchChanges = z.output<typeof SavedSearchChanges>;

export const SavedSearchQuery = z.object(pageParams);
