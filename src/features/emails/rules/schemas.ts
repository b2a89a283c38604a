import { z } from "@hono/zod-openapi";
import { doc, Id, listOf, named, pageParams, Tags, Timestamp, versionFields } from "../../../http/schemas.ts";
import { SENDER_PROOFS } from "../../../lib/authentication-results.ts";
import { EMAIL_KINDS } from "../../../lib/email-kinds.ts";
import { readBy } from "../../../lib/receipts.ts";
import { EmailSummary } from "../schemas.ts";

const MAX_CONDITIONS = 20;
const MAX_POSITION = 1_000_000;
const MAX_SIZE = 30 * 1024 * 1024;
const MAX_DAYS = 3650;

const Either = z.enum(["is", "is_not"]);

const Condition = z
  .discriminatedUnion("field", [
    z.object({
      field: doc(z.enum(["from", "to", "subject", "body", "listId"]), "The field to compare.", "from"),
      op: doc(
        z.enum(["contains", "not_contains", "is", "is_not"]),
        "How it is compared. Upper and lower case, accents and white space make no difference.",
        "contains",
      ),
      value: doc(z.string().trim().min(1).max(500), "The text to compare with.", "@example.com"),
    }),
    z.object({
      field: doc(z.literal("kind"), "The kind of the email.", "kind"),
      op: doc(Either, "Whether the email is of this kind, or of any other.", "is"),
      value: doc(z.enum(EMAIL_KINDS), "The kind.", "newsletter"),
    }),
    z.object({
      field: doc(z.literal("authentication"), "The receiving mail server's check of the sender.", "authentication"),
      op: doc(Either, "Whether the result is this one, or any other.", "is"),
      value: doc(
        z.enum(SENDER_PROOFS),
        "`verified`: the sender is who they claim to be. `failed`: they are not. `unverified`: nobody checked.",
        "verified",
      ),
    }),
    z.object({
      field: doc(z.literal("hasAttachment"), "Whether the email has attachments.", "hasAttachment"),
      value: doc(z.boolean(), "Whether the email must have attachments, or must not.", true),
    }),
    z.object({
      field: doc(z.literal("size"), "The size of the email with its attachments.", "size"),
      op: doc(z.enum(["larger_than", "smaller_than"]), "How it is compared.", "larger_than"),
      value: doc(z.int().min(1).max(MAX_SIZE), "Size in bytes.", 5_000_000),
    }),
  ])
  .openapi("RuleCondition", {
    description:
      "`from` and `to` (also Cc) compare names and addresses: `is` needs the whole address or name. `listId` is the List-Id " +
      "header. `body` is the plain text.",
    example: { field: "from", op: "contains", value: "@example.com" },
  });

export const Conditions = doc(z.array(Condition).min(1).max(MAX_CONDITIONS), "The conditions of the rule.");
const Match = doc(z.enum(["all", "any"]), "Whether all conditions must hold, or one of them.", "all");

const optionalFlag = (description: string) => doc(z.boolean().optional(), description);

export const Actions = z
  .object({
    addTags: doc(Tags.optional(), "Tags to add."),
    archive: optionalFlag("Move it to `archived`."),
    star: optionalFlag("Star it."),
    markRead: optionalFlag("Mark it as read."),
    trash: optionalFlag("Move it to the trash. It then creates no tasks and no events and is not forwarded."),
    makeTask: optionalFlag("Create a task for each request in it, or one for the whole email if it has none."),
    forwardTo: doc(
      Id.optional(),
      "Id of one of your webhooks, which gets an `email.matched` event, whatever it subscribes to.",
    ),
    deleteAfterDays: doc(
      z.int().min(1).max(MAX_DAYS).optional(),
      "Permanently delete the email this many days after it was received, unless it is starred by then. See " +
        "`deleteAt` of the email.",
      30,
    ),
    stop: optionalFlag("Skip the following rules."),
  })
  .refine((actions) => Object.entries(actions).some(([name, value]) => name !== "stop" && hasEffect(value)), {
    message: "must contain an action",
  })
  .refine(({ archive, trash }) => !(archive && trash), {
    path: ["archive"],
    message: "cannot be combined with trash",
  })
  .openapi("RuleActions", {
    description: "Actions for an email that meets the conditions. At least one is required.",
    example: { addTags: ["reading"], archive: true },
  });

function hasEffect(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

const Run = z.object({
  status: doc(z.enum(["running", "done"]), "How far it is.", "done"),
  startedAt: doc(Timestamp, "When it was started."),
  seen: doc(z.int(), "Number of emails examined.", 120),
  matched: doc(z.int(), "Number of those that matched.", 7),
});

export const Rule = named("EmailRule", () => ({
  id: Id,
  name: doc(z.string(), "Name of the rule.", "Newsletters"),
  position: doc(z.int(), "Rules run in ascending order of position, then of id.", 1),
  enabled: doc(z.boolean(), "Whether the rule applies to emails that arrive.", true),
  match: Match,
  conditions: Conditions,
  actions: Actions,
  run: doc(Run.nullable(), "The latest run over stored emails. Null if there was none since the rule last changed."),
  ...versionFields,
}));
readBy("emails:read", Rule);
export type Rule = z.infer<typeof Rule>;
export const RuleList = listOf(Rule, "EmailRuleList");

const Name = z.string().trim().min(1).max(100);
const Position = z.int().min(1).max(MAX_POSITION);

const EXAMPLE = {
  name: "Newsletters",
  conditions: [{ field: "kind", op: "is", value: "newsletter" }],
  actions: { addTags: ["reading"], archive: true },
};

export const NewRule = named(
  "NewEmailRule",
  () => ({
    name: doc(Name, "Name of the rule."),
    position: doc(Position.optional(), "Where the rule stands in the order. Default: after all others."),
    enabled: doc(z.boolean(), "Whether the rule applies to emails that arrive.").default(true),
    match: doc(Match, "Whether all conditions must hold, or one of them. Default: `all`.").default("all"),
    conditions: Conditions,
    actions: Actions,
  }),
  { example: EXAMPLE },
);
export type NewRule = z.output<typeof NewRule>;

export const RuleChanges = named(
  "EmailRuleChanges",
  () => ({
    name: doc(Name.optional(), "Name of the rule."),
    position: doc(Position.optional(), "Where the rule stands in the order."),
    enabled: doc(z.boolean().optional(), "Whether the rule applies to emails that arrive."),
    match: doc(Match.optional(), "Whether all conditions must hold, or one of them."),
    conditions: doc(Conditions.optional(), "Replaces all conditions."),
    actions: doc(Actions.optional(), "Replaces all actions."),
  }),
  { example: { enabled: false } },
);
export type RuleChanges = z.output<typeof RuleChanges>;

export const RulePreviewRequest = named(
  "RulePreviewRequest",
  () => ({
    match: doc(Match, "Whether all conditions must hold, or one of them. Default: `all`.").default("all"),
    conditions: Conditions,
  }),
  { example: { conditions: EXAMPLE.conditions } },
);
export type RulePreviewRequest = z.output<typeof RulePreviewRequest>;

export const RulePreview = named("RulePreview", () => ({
  matched: doc(z.int(), "Number of examined emails that meet the conditions.", 7),
  examined: doc(z.int(), "Number of examined emails: the newest received ones outside the trash.", 120),
  complete: doc(z.boolean(), "False if older emails were not examined.", true),
  emails: doc(z.array(EmailSummary), "The newest emails that meet the conditions, at most 20."),
}));
export type RulePreview = z.infer<typeof RulePreview>;

export const RuleQuery = z.object(pageParams);
