import type { Reference } from "./reference.ts";

/** Words that name a record: "the invoice from Ines", "Tom's reply", "the tax office thing". */
export interface NounPhrase {
  /** The kind of record, if a noun says it. */
  kind: Reference["kind"];
  /** Who wrote it. */
  sender: string;
  /** Only what belongs to somebody is named: "Tom's". */
  isOwner?: boolean;
  /** What it is about. */
  words: string;
  isLatest: boolean;
  isNewsletter: boolean;
}

const NOUNS: readonly [RegExp, NonNullable<Reference["kind"]>][] = [
  [/\b(?:e-?mails?|mails?|messages?|newsletters?|threads?|spam|promos?|adverts?)\b/i, "email"],
  [/\b(?:tasks?|to-?dos?|reminders?)\b/i, "task"],
  [/\b(?:events?|appointments?)\b/i, "event"],
];
const KIND_WORDS =
  /\b(?:e-?mails?|mails?|messages?|newsletters?|threads?|spam|promos?|adverts?|tasks?|to-?dos?|reminders?|events?|appointments?|ones?|things?|items?|bits?|stuff|job|business)\b/gi;
const SENT =
  /^(?:what|the (?:one|e-?mail|mail|message|thing|reply))(?: that)? (?<sender>[\p{L}][\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?) (?:has |just )?(?:sent|wrote|written|emailed)(?: me| us| over)?$/iu;
const FROM =
  /^(?<topic>.{0,200}?)\b(?:from|by) (?<sender>\p{L}[\p{L}'.-]*(?: (?!about\b|on\b|re\b|regarding\b|with\b|as\b)\p{L}[\p{L}'.-]*){0,2}?)(?: (?:about|on|re|regarding|concerning|with) (?<about>.+))?$/iu;
const OWNED = /^(?<sender>\p{L}[\p{L}-]*(?: \p{Lu}[\p{L}-]*)?)'s (?<topic>.*)$/u;
const OWN = /^(?<sender>\p{L}[\p{L}-]*)'s$/u;

export function readNounPhrase(name: string): NounPhrase {
  const bare = name
    .replaceAll("’", "'")
    .trim()
    .replace(/^(?:(?:the|my|that|this|our|all|both|a|an|those|these|entire|whole) )+/i, "")
    .replace(/(?<=^|\s)(?:mr|mrs|ms|miss|dr|prof)\.? (?=\p{L})/giu, "");
  const kind = NOUNS.find(([noun]) => noun.test(bare))?.[1] ?? null;
  const isLatest = /^(?:latest|last|newest|most recent|new)\b/i.test(bare);
  const isNewsletter = /\bnewsletters?\b/i.test(bare);
  const text = bare.replace(/^(?:latest|last|newest|most recent|new|unread)\s+/i, "");
  const words = (given: string | undefined) =>
    (given ?? "")
      .replace(KIND_WORDS, " ")
      .replace(/\b(?:about|on|re|regarding|concerning|called|named|of|for)\b/gi, " ")
      .replace(/\s+/g, " ")
      .trim();
  const common = { isLatest, isNewsletter };
  const sent = SENT.exec(name.trim())?.groups;
  if (sent?.sender) return { ...common, kind: "email", sender: sent.sender, words: "" };
  const from = FROM.exec(text)?.groups;
  if (from?.sender)
    return { ...common, kind: kind ?? "email", sender: from.sender, words: words(`${from.topic} ${from.about ?? ""}`) };
  const owned = (OWN.exec(text) ?? OWNED.exec(text))?.groups;
  // "Tom's birthday present" may be a task; "Tom's email" is not.
  if (
    owned?.sender &&
    (kind === "email" ||
      words(owned.topic) === "" ||
      /^(?:reply|answer|question|request|invoice|quote|offer)$/i.test(owned.topic ?? ""))
  ) {
    return {
      ...common,
      kind: "email",
      sender: owned.sender,
      isOwner: kind === null,
      words: words(owned.topic?.replace(/^(?:reply|answer|question|request)$/i, "")),
    };
  }
  return {
    ...common,
    kind,
    sender: "",
    words: words(text.replace(/^(?:one|thing|e-?mail|mail|message) (?:about|on|regarding|with|for) /i, "")),
  };
}
