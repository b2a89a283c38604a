import { localPart } from "./addresses.ts";
import { firstCharacters } from "./text.ts";

export const MAX_TAG_CHARACTERS = 50;
export const MAX_TAGS = 20;

export function normaliseTag(text: string): string {
  return text.trim().toLowerCase();
}

export function uniqueTags(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}

/** Each inbox is a tag: an email to `hello@…` without tags gets `hello`. */
export function inboxTag(email: string | undefined): string[] {
  const tag = normaliseTag(firstCharacters(localPart(email ?? ""), MAX_TAG_CHARACTERS));
  return tag ? [tag] : [];
}
