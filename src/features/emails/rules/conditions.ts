import type { RuleCondition, RuleMatch, RuleTextField } from "../../../db/schema/emails-sorting.ts";
import { senderProof } from "../../../lib/authentication-results.ts";
import type { EmailAuthentication, EmailKind } from "../../../lib/email-kinds.ts";

export interface Conditional {
  match: RuleMatch;
  conditions: readonly RuleCondition[];
}

/** What rules look at. */
export interface RuleFacts {
  from: { name: string; email: string };
  /** Everybody it went to, and the inbox it came to. */
  recipients: readonly { name: string; email: string }[];
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
