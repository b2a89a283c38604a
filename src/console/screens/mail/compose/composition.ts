import type { components } from "#api";
import { addressesOf, isAddress, personText } from "../../../lib/people.ts";
import type { compose as m } from "../../../messages/compose.ts";

export type Draft = components["schemas"]["Draft"];
type DraftChanges = components["schemas"]["DraftChanges"];
export type NewDraft = Partial<components["schemas"]["NewDraft"]>;
export type Started = Draft | null;
export type Kind = keyof typeof m.headings;

/** The fields as they are typed. */
export interface Fields {
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  body: string;
  /** Null if the text is not formatted. */
  html: string | null;
  quote: boolean;
  signature: boolean;
  identityId: number | null;
  followUpDays: number | null;
}

/** What is wrong with each field. */
export type Problems = Partial<Record<"to" | "cc" | "bcc" | "subject" | "body", string>>;

/** What is being written. A new email becomes a draft of the service with its first words. */
export interface Composition {
  kind: Kind;
  /** The email that is answered or passed on. */
  email: { id: number } | null;
  draft: Started;
  /** Whom a new email is for. Nothing is stored until something is typed. */
  to?: string;
  /** What was typed and could not be saved, */
  fields?: Fields;
  /** where it is kept on this device, */
  place?: string;
  /** how its draft is made, */
  first?: { key: string; body: NewDraft } | null;
  /** and why it was not sent. */
  problems?: Problems;
}

/** What makes a new draft an answer: the service fills in recipients and subject. */
export function originOf({ kind, email }: Pick<Composition, "kind" | "email">): NewDraft {
  if (email === null) return {};
  return kind === "forward" ? { forwardOf: email.id } : { inReplyTo: email.id, replyAll: kind === "replyAll" };
}

/** As it is typed; what is no address is a text already. */
const textOf = (all: Draft["to"]) => all.map((each) => (typeof each === "string" ? each : personText(each))).join(", ");

export function fieldsOf(draft: Draft | null): Fields {
  return {
    to: textOf(draft?.to ?? []),
    cc: textOf(draft?.cc ?? []),
    bcc: textOf(draft?.bcc ?? []),
    subject: draft?.subject ?? "",
    body: draft?.body ?? "",
    html: draft?.html ?? null,
    quote: draft?.quote ?? true,
    signature: draft?.signature ?? true,
    identityId: draft?.identityId ?? null,
    followUpDays: draft?.followUpDays ?? null,
  };
}

/** The first of the addresses that the service could not send to. */
export function wrongAddress(text: string): string | undefined {
  return addressesOf(text).find((each) => !isAddress(each));
}

/** What the service stores of the fields. */
export function changesOf(now: Fields): DraftChanges {
  return {
    to: addressesOf(now.to),
    cc: addressesOf(now.cc),
    bcc: addressesOf(now.bcc),
    subject: now.subject,
    body: now.body,
    // A text that was kept on this device by an earlier version of the console has no more.
    html: now.html ?? null,
    quote: now.quote,
    signature: now.signature ?? true,
    identityId: now.identityId,
    // What was kept by an earlier version of the page has none.
    followUpDays: now.followUpDays ?? null,
  };
}

/** Without the fields that are still empty, which the service fills in for an answer. */
export function newDraftOf(now: Fields, origin: NewDraft): NewDraft {
  const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0);
  const given = Object.entries(changesOf(now)).filter(([, value]) => !isEmpty(value));
  return { ...Object.fromEntries(given), ...origin };
}

/** With what the service filled in where nothing was typed. */
export function withSuggestions(typed: Fields, found: Fields): Fields {
  return {
    ...typed,
    to: typed.to || found.to,
    cc: typed.cc || found.cc,
    bcc: typed.bcc || found.bcc,
    subject: typed.subject || found.subject,
  };
}

/** Whether the service would store the same. */
export function isSameText(one: Fields, other: Fields): boolean {
  return JSON.stringify(changesOf(one)) === JSON.stringify(changesOf(other));
}

/** Whether the draft has a text that is none of these: somebody else has written it. */
export function hasOther(draft: Draft, texts: readonly Fields[]): boolean {
  return !texts.some((each) => isSameText(each, fieldsOf(draft)));
}
