import type { Address, DraftRecipient } from "../../lib/addresses.ts";
import { htmlToText } from "../../lib/html-text.ts";
import { emailWords } from "./preview.ts";
import { allOf, whole } from "./said.ts";

/* What a proposal says of an email that is written or sent: to whom, about which other one, and with which files. */

interface Letter {
  to: readonly DraftRecipient[];
  cc: readonly DraftRecipient[];
  bcc: readonly DraftRecipient[];
  files: readonly string[];
  original: { email: { subject: string; from: Address }; relation: "reply" | "forward"; isQuoted: boolean } | null;
}

/** A recipient of a draft that is not an address yet is quoted as it was written. */
export function personWords(person: DraftRecipient): string {
  if (typeof person === "string") return person;
  return person.name ? `${person.name} <${person.email}>` : person.email;
}

export const addressOf = (row: { fromName: string; fromEmail: string }) => ({
  name: row.fromName,
  email: row.fromEmail,
});

export function letterWords({ to, cc, bcc, files, original }: Letter): string[] {
  const people = (list: readonly DraftRecipient[]) => allOf(list.map(personWords));
  return [
    `to ${people(to) || "nobody yet"}`,
    ...(cc.length > 0 ? [`with copies to ${people(cc)}`] : []),
    ...(bcc.length > 0 ? [`with hidden copies to ${people(bcc)}`] : []),
    ...(original ? [originalWords(original)] : []),
    ...(files.length > 0 ? [`with the attachments ${allOf(files)}`] : []),
  ];
}

function originalWords({ email, relation, isQuoted }: NonNullable<Letter["original"]>): string {
  const quote = isQuoted ? "with its text" : "without its text";
  return relation === "forward"
    ? `forwarding ${emailWords(email)} ${quote}`
    : `as a reply to ${emailWords(email)} ${quote}`;
}

const lettersOf = (text: string) =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(" ") ?? "";

/** Most readers see the HTML, so a person who confirms the text is told of it, and what else it says. */
export function textWords({ body, html }: { body: string; html: string | null }): string {
  if (html === null || !html.trim()) return whole(body);
  const shown = htmlToText(html);
  if (!body.trim()) return `${whole(shown)}, written as HTML`;
  if (lettersOf(shown) === lettersOf(body)) return `${whole(body)}, also as HTML`;
  return `${whole(body)}, with HTML that differs from this text: ${whole(shown)}`;
}
