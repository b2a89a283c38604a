import { type SQL, sql } from "drizzle-orm";
import { type Context, hasScope, lacksScope } from "../../../context.ts";
import { assertThat } from "../../../db/assert.ts";
import type { emails } from "../../../db/schema/emails.ts";
import type { RuleActions, RuleCondition } from "../../../db/schema/emails-sorting.ts";
import type { DataScope } from "../../../lib/api-key-scopes.ts";
import { senderProof } from "../../../lib/authentication-results.ts";
import { assertType } from "../../../lib/cast.ts";
import { type Conditional, matches, type RuleFacts } from "./conditions.ts";
import type { Rule } from "./schemas.ts";

/** How many rules an email remembers. */
const MAX_REMEMBERED = 20;

/** What rules do to an email. */
export interface RuleOutcome {
  /** Columns with the same new value for every email. */
  set: Partial<Pick<typeof emails.$inferSelect, "status" | "isStarred" | "isRead">>;
  tags: string[];
  makesTask: boolean;
  forwardTo: number[];
  deleteAfterDays: number | null;
  applied: { id: number; name: string }[];
}

type Actions = Rule["actions"];

/** What each action does. `stop` ends the rules. */
const EFFECTS: {
  [Name in Exclude<keyof Actions, "stop">]-?: (outcome: RuleOutcome, value: NonNullable<RuleActions[Name]>) => void;
} = {
  addTags: ({ tags }, added) => tags.push(...added),
  archive: ({ set }) => {
    // What is in the trash stays there.
    set.status ??= "archived";
  },
  star: ({ set }) => {
    set.isStarred = true;
  },
  markRead: ({ set }) => {
    set.isRead = true;
  },
  trash: ({ set }) => {
    set.status = "trash";
  },
  makeTask: (outcome) => {
    outcome.makesTask = true;
  },
  forwardTo: ({ forwardTo }, id) => {
    if (!forwardTo.includes(id)) forwardTo.push(id);
  },
  deleteAfterDays: (outcome, days) => {
    outcome.deleteAfterDays = Math.min(outcome.deleteAfterDays ?? days, days);
  },
};

/** The scopes that a program needs to have an action done for it: a task has words of the email, and a webhook gets it. */
const NEEDED: { readonly [Name in keyof Actions]?: readonly DataScope[] } = {
  makeTask: ["emails:read", "tasks:write"],
  forwardTo: ["emails:read"],
};

/** The scopes that these actions need. */
export function neededScopes(actions: Actions): DataScope[] {
  return actionsThatNeed.flatMap(([name, scopes]) => (actions[name] ? scopes : []));
}

const actionsThatNeed = assertType<[keyof Actions, readonly DataScope[]][]>(Object.entries(NEEDED));

/**
 * Assertions that a program may do itself what the rule will do for it, for the batch that changes or applies the rule,
 * after that.
 */
export function withinScopes(ctx: Context, isThis: SQL) {
  const scopes = new Set(actionsThatNeed.flatMap(([, each]) => each));
  return [...scopes]
    .filter((scope) => !hasScope(ctx.actor, [scope]))
    .map((scope) => {
      const names = actionsThatNeed
        .filter(([, each]) => each.includes(scope))
        .map(([name]) => sql`actions ->> ${name}`);
      const doesIt = sql`EXISTS (SELECT 1 FROM email_rules WHERE ${isThis} AND (${sql.join(names, sql` OR `)}))`;
      return assertThat(ctx.db, `rule_needs_${scope.replace(":", "_")}`, sql`NOT ${doesIt}`, () =>
        lacksScope(ctx.actor, scope),
      );
    });
}

interface StoredRule extends Conditional {
  id: number;
  name: string;
  actions: RuleActions;
}

/** The actions of all rules that match, in their order, until one says to stop. */
export function runRules(rules: readonly StoredRule[], facts: RuleFacts): RuleOutcome {
  const outcome: RuleOutcome = {
    set: {},
    tags: [],
    makesTask: false,
    forwardTo: [],
    deleteAfterDays: null,
    applied: [],
  };
  for (const rule of rules) {
    if (!matches(rule, facts)) continue;
    const actions = allowedActions(rule, facts);
    if (!Object.values(actions).some(Boolean)) continue;
    for (const name in EFFECTS) {
      const action = assertType<keyof typeof EFFECTS>(name);
      const value = actions[action];
      if (value) EFFECTS[action](outcome, assertType<never>(value));
    }
    if (outcome.applied.length < MAX_REMEMBERED) outcome.applied.push({ id: rule.id, name: rule.name });
    if (actions.stop) break;
  }
  if (outcome.set.status === "trash") Object.assign(outcome, { makesTask: false, forwardTo: [] });
  return outcome;
}

/**
 * A forged email claims to be from somebody the owner has a rule for: such a rule must not star it, file it away or make
 * it a task. It may only put it into the trash, unless the rule itself is about such emails.
 */
function allowedActions(rule: StoredRule, { kind, authentication }: RuleFacts): RuleActions {
  const isDoubtful = kind === "spam_like" || senderProof(authentication) === "failed";
  if (!isDoubtful || isAboutForgeries(rule)) return rule.actions;
  const { trash, stop } = rule.actions;
  return trash ? { trash, stop } : {};
}

/** With `any`, another condition may have matched. */
function isAboutForgeries({ match, conditions }: Conditional): boolean {
  const names = (condition: RuleCondition) =>
    (condition.field === "kind" && condition.op === "is" && condition.value === "spam_like") ||
    (condition.field === "authentication" && condition.op === "is" && condition.value === "failed");
  return match === "all" ? conditions.some(names) : conditions.every(names);
}
