import { type SenderProof, senderProof } from "./authentication-results.ts";
import type { EmailAuthentication, EmailKind } from "./email-kinds.ts";

export const MAX_RULES = 200;
/** How many rules an email remembers. */
const MAX_REMEMBERED = 20;

export const RULE_TEXT_FIELDS = ["from", "to", "subject", "body", "listId"] as const;
export const RULE_OPERATORS = ["contains", "not_contains", "is", "is_not"] as const;
export const SENDER_PROOFS = ["verified", "unverified", "failed"] as const satisfies readonly SenderProof[];

export type RuleMatch = "all" | "any";

export type RuleCondition =
  | { field: (typeof RULE_TEXT_FIELDS)[number]; op: (typeof RULE_OPERATORS)[number]; value: string }
  | { field: "kind"; op: "is" | "is_not"; value: EmailKind }
  | { field: "authentication"; op: "is" | "is_not"; value: SenderProof }
  | { field: "hasAttachment"; value: boolean }
  | { field: "size"; op: "larger_than" | "smaller_than"; value: number };

export interface RuleActions {
  addTags?: string[] | undefined;
  archive?: boolean | undefined;
  star?: boolean | undefined;
  markRead?: boolean | undefined;
  trash?: boolean | undefined;
  makeTask?: boolean | undefined;
  forwardTo?: number | undefined;
  deleteAfterDays?: number | undefined;
  stop?: boolean | undefined;
}

export interface Rule {
  id: number;
  name: string;
  match: RuleMatch;
  conditions: readonly RuleCondition[];
  actions: RuleActions;
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
export function plainText(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ").trim();
}

export function matches({ match, conditions }: Pick<Rule, "match" | "conditions">, facts: RuleFacts): boolean {
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

function textsOf(field: (typeof RULE_TEXT_FIELDS)[number], facts: RuleFacts): string[] {
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

/** What rules do to an email. */
export interface RuleOutcome {
  tags: string[];
  status: "archived" | "trash" | null;
  isStarred: boolean;
  isRead: boolean;
  makesTask: boolean;
  forwardTo: number[];
  deleteAfterDays: number | null;
  applied: { id: number; name: string }[];
}

/** The actions of all rules that match, in their order, until one says to stop. */
export function runRules(rules: readonly Rule[], facts: RuleFacts): RuleOutcome {
  const outcome: RuleOutcome = {
    tags: [],
    status: null,
    isStarred: false,
    isRead: false,
    makesTask: false,
    forwardTo: [],
    deleteAfterDays: null,
    applied: [],
  };
  for (const rule of rules) {
    if (!matches(rule, facts)) continue;
    const actions = allowedActions(rule, facts);
    if (!Object.values(actions).some(Boolean)) continue;
    outcome.tags.push(...(actions.addTags ?? []));
    // What is in the trash stays there.
    if (actions.trash) outcome.status = "trash";
    else if (actions.archive) outcome.status ??= "archived";
    outcome.isStarred ||= actions.star === true;
    outcome.isRead ||= actions.markRead === true;
    outcome.makesTask ||= actions.makeTask === true;
    if (actions.forwardTo !== undefined) outcome.forwardTo.push(actions.forwardTo);
    const days = [outcome.deleteAfterDays, actions.deleteAfterDays].flatMap((each) => each ?? []);
    outcome.deleteAfterDays = days.length > 0 ? Math.min(...days) : null;
    if (outcome.applied.length < MAX_REMEMBERED) outcome.applied.push({ id: rule.id, name: rule.name });
    if (actions.stop) break;
  }
  outcome.forwardTo = [...new Set(outcome.forwardTo)];
  if (outcome.status === "trash") Object.assign(outcome, { makesTask: false, forwardTo: [] });
  return outcome;
}

/**
 * A forged email claims to be from somebody the owner has a rule for: such a rule must not star it, file it away or make
 * it a task. It may only put it into the trash, unless the rule itself is about such emails.
 */
function allowedActions(rule: Rule, { kind, authentication }: RuleFacts): RuleActions {
  const isDoubtful = kind === "spam_like" || senderProof(authentication) === "failed";
  if (!isDoubtful || isAboutForgeries(rule)) return rule.actions;
  const { trash, stop } = rule.actions;
  return trash ? { trash, stop } : {};
}

/** With `any`, another condition may have matched. */
function isAboutForgeries({ match, conditions }: Rule): boolean {
  const names = (condition: RuleCondition) =>
    (condition.field === "kind" && condition.op === "is" && condition.value === "spam_like") ||
    (condition.field === "authentication" && condition.op === "is" && condition.value === "failed");
  return match === "all" ? conditions.some(names) : conditions.every(names);
}
