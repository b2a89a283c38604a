import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { startRun } from "./apply.ts";
import { previewRule } from "./preview.ts";
import { NewRule, Rule, RuleChanges, RuleList, RulePreview, RulePreviewRequest, RuleQuery } from "./schemas.ts";
import { createRule, deleteRule, getRule, listRules, updateRule } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/emails/rules", {
  operationId: "listEmailRules",
  summary: "List email rules",
  description: "Returns the rules in the order in which they are tried.",
  guard: data("emails:read"),
  query: RuleQuery,
  returns: { 200: RuleList },
  handle: ({ ctx, query }) => listRules(ctx, query),
});

routes.endpoint("post", "/api/emails/rules", {
  operationId: "createEmailRule",
  summary: "Create an email rule",
  description:
    "The rule applies to emails that arrive from now on; apply it to change stored emails. Every matching rule " +
    "runs, unless an earlier one sets `stop`. An email that may be forged (`spam_like`) can only be moved to the " +
    "trash, except by a rule whose condition is that kind, or that its authentication failed. You can have 200. An " +
    "API key needs `emails:read` for `forwardTo`, and also `tasks:write` for `makeTask`.",
  guard: data("emails:write"),
  body: NewRule,
  returns: { 201: Rule },
  errors: ["rule_limit_reached"],
  idempotent: true,
  handle: ({ ctx, body }) => createRule(ctx, body),
});

routes.endpoint("post", "/api/emails/rules/preview", {
  operationId: "previewEmailRule",
  showsSignIn: true,
  summary: "Try conditions on stored emails",
  description:
    "Returns which of the newest 500 received emails outside the trash meet the conditions. Changes nothing.",
  guard: data("emails:read"),
  body: RulePreviewRequest,
  returns: { 200: RulePreview },
  handle: ({ ctx, body }) => previewRule(ctx, body),
});

routes.endpoint("get", "/api/emails/rules/{id}", {
  operationId: "getEmailRule",
  summary: "Get an email rule",
  description: "Returns the rule and the progress of its latest run.",
  guard: data("emails:read"),
  returns: { 200: Rule },
  // A run changes without the version.
  ifNoneMatch: false,
  handle: ({ ctx, params }) => getRule(ctx, params.id),
});

routes.endpoint("patch", "/api/emails/rules/{id}", {
  operationId: "updateEmailRule",
  summary: "Update an email rule",
  description: "Changing its conditions or actions stops a run over stored emails.",
  guard: data("emails:write"),
  body: RuleChanges,
  returns: { 200: Rule },
  errors: ["nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateRule(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/emails/rules/{id}", {
  operationId: "deleteEmailRule",
  summary: "Delete an email rule",
  description: "Changes that the rule made to emails are kept.",
  guard: data("emails:write"),
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteRule(ctx, params.id, ifMatch),
});

routes.endpoint("post", "/api/emails/rules/{id}/apply", {
  operationId: "applyEmailRule",
  summary: "Apply a rule to stored emails",
  description:
    "Starts a run over all received emails outside the trash, the newest first, in the background. `run` of the " +
    "rule shows its progress. While a run is in progress, another call returns it. Emails that the rule has already " +
    "forwarded are not forwarded again. Also works for a disabled rule.",
  guard: data("emails:write"),
  returns: { 202: Rule },
  idempotent: true,
  handle: ({ ctx, params }) => startRun(ctx, params.id),
});
