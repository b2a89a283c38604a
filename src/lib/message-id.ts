/** A Message-ID as ids are compared: without spaces and angle brackets. */
export function messageKey(messageId: string): string {
  return messageId.trim().replace(/^[<>]+|[<>]+$/g, "");
}

const MAX_CHARACTERS = 998;

/** The id of a Message-ID header, as broken as senders write it; null when there is nothing to tell a mail by. */
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

/** Keeps the beginning of a long conversation and its latest part: the two ends that threading needs. */
export function limitReferences(ids: readonly string[]): string[] {
  const unique = [...new Set(ids)];
  if (unique.length <= MAX_REFERENCES) return unique;
  return [...unique.slice(0, 1), ...unique.slice(1 - MAX_REFERENCES)];
}
