/** A Message-ID without spaces and angle brackets, for comparison. */
export function messageKey(messageId: string): string {
  return messageId.trim().replace(/^[<>]+|(?<![<>])[<>]+$/g, "");
}

const MAX_CHARACTERS = 998;

/** The id in a Message-ID header, which may be malformed; null if there is none. */
export function parseMessageId(header: string | undefined): string | null {
  const id = header?.match(/<[^<>\s]+>/)?.[0] ?? header?.replace(/\s+/g, "") ?? "";
  return messageKey(id) === "" || id.length > MAX_CHARACTERS ? null : id;
}

const MAX_REFERENCES = 50;

/** The ids of a References or In-Reply-To header, in order, with their angle brackets. */
export function parseMessageIds(header: string | undefined): string[] {
  const bracketed = header?.match(/<[^<>\s]+>/g) ?? [];
  const found = bracketed.length > 0 ? bracketed : (header?.trim().split(/\s+/) ?? []).filter(Boolean);
  return limitReferences(found.filter((id) => messageKey(id) !== "" && id.length <= MAX_CHARACTERS));
}

/** Keeps the first id and the latest ones, which threading needs. */
export function limitReferences(ids: readonly string[]): string[] {
  const unique = [...new Set(ids)];
  if (unique.length <= MAX_REFERENCES) return unique;
  return [...unique.slice(0, 1), ...unique.slice(1 - MAX_REFERENCES)];
}
