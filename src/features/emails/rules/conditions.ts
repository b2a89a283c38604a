import type { RuleCondition, RuleMatch, RuleTextField } from "../../../db/schema/emails-sorting.ts";
import { senderProof } from "../../../lib/authentication-results.ts";
import { assertType } from "../../../lib/cast.ts";
import type { EmailAuthentication, EmailKind, StoredSignIn } from "../../../lib/email-kinds.ts";

export interface Conditional {
  match: RuleMatch;
  conditions: readonly RuleCondition[];
}

/** What rules look at. */
export interface RuleFacts {
  from: { name: string; email: string };
  /** Everybody it went to, and the inbox it came to. */
  recipients: readonly { name: string; email: string }[];
  /** Both without the secrets of an email that signs its reader in. */
  subject: string;
  /** The plain text. */
  body: string;
  listId: string | null;
  kind: EmailKind;
  authentication: EmailAuthentication | null;
  hasAttachment: boolean;
  /** In bytes. */
  size: number;
}

/** A word as people write it, with its marks: no digit, no address, and no capital letter inside. */
const PLAIN_WORD =
  /^[\p{P}\p{S}]{0,4}(?:\p{Lu}?\p{Ll}{0,30}|\p{Lu}{1,3})(?:['’-]\p{L}\p{Ll}{0,30}){0,4}[\p{P}\p{S}]{0,4}$/u;

/**
 * The texts that rules may be tried on. Whoever makes rules could otherwise spell out the code or link of an email that
 * signs its reader in, one character at a time: of such an email only plain words are left.
 */
export function withoutSecrets<Texts extends Record<string, string>>(signIn: StoredSignIn | null, texts: Texts): Texts {
  if (!signIn) return texts;
  // A password may be a phrase.
  const codes = (signIn.code ?? "").split(/\s+/).map(bare).filter(Boolean);
  const isPlain = (word: string) => PLAIN_WORD.test(word) && !codes.some((code) => bare(word).includes(code));
  const shown = (text: string) => text.split(/\s+/).filter(isPlain).join(" ");
  return assertType<Texts>(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, shown(text)])));
}

const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\d]/gu, "");

/** Without case, accents and runs of white space, so that a rule finds what a reader would call the same words. */
function plainText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}

export function matches({ match, conditions }: Conditional, facts: RuleFacts): boolean {
  const holds = (condition: RuleCondition) => meets(condition, facts);
  return match === "all" ? conditions.every(holds) : conditions.some(holds);
}

function meets(condition: RuleCondition, facts: RuleFacts): boolean {
  switch (condition.field) {
    case "kind":
      return (facts.kind === condition.value) === (condition.op === "is");
    case "authentication":
      return (senderProof(facts.authentication) === condition.value) === (condition.op === "is");
    case "hasAttachment":
      return facts.hasAttachment === condition.value;
    case "size":
      return condition.op === "larger_than" ? facts.size > condition.value : facts.size < condition.value;
    default: {
      const wanted = plainText(condition.value);
      const texts = textsOf(condition.field, facts).map(plainText);
      const isExact = condition.op === "is" || condition.op === "is_not";
      const isFound = texts.some((text) => (isExact ? text === wanted : text.includes(wanted)));
      return isFound === (condition.op === "is" || condition.op === "contains");
    }
  }
}

function textsOf(field: RuleTextField, facts: RuleFacts): string[] {
  const people = (list: RuleFacts["recipients"]) =>
    list.flatMap(({ name, email }) => [email, ...(name ? [name, `${name} <${email}>`] : [])]);
  switch (field) {
    case "from":
      return people([facts.from]);
    case "to":
      return people(facts.recipients);
    case "listId":
      return facts.listId === null ? [] : [facts.listId];
    default:
      return [facts[field]];
  }
}
