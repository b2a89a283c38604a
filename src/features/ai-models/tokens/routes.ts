import { user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { startPurchase } from "../../billing/checkout.ts";
import { Checkout, PROVIDER_ERRORS } from "../../billing/schemas.ts";
import { listTokenPackages } from "../../billing/service.ts";
import { createAlert, deleteAlert, listAlerts, updateAlert } from "./alerts.ts";
import { getBalance, setBudget } from "./budget.ts";
import { listCalls, usageByDay, usageByModel } from "./figures.ts";
import {
  AiCallList,
  CallQuery,
  NewBudget,
  NewPurchase,
  NewTokenAlert,
  PeriodQuery,
  TokenAlert,
  TokenAlertChanges,
  TokenAlertList,
  TokenBalance,
  TokenPackageList,
  TokenUsage,
  TokenUsageByModel,
} from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/tokens/balance", {
  operationId: "getTokenBalance",
  summary: "Get the token balance",
  description:
    "Returns the tokens used this month and the tokens left. When none are left, the built-in engine replaces the models. " +
    "Purchased tokens extend the plan's allowance, never the owner's budget.",
  guard: user,
  returns: { 200: TokenBalance },
  handle: ({ ctx }) => getBalance(ctx),
});

routes.endpoint("get", "/api/settings/tokens/usage", {
  operationId: "getTokenUsage",
  summary: "Get AI usage by day",
  description: "Returns calls and tokens for each day of the period, in UTC.",
  guard: user,
  query: PeriodQuery,
  returns: { 200: TokenUsage },
  handle: ({ ctx, query }) => usageByDay(ctx, query.period),
});

routes.endpoint("get", "/api/settings/tokens/usage/by-model", {
  operationId: "getTokenUsageByModel",
  summary: "Get AI usage by model",
  description: "Returns calls and tokens for each model used in the period.",
  guard: user,
  query: PeriodQuery,
  returns: { 200: TokenUsageByModel },
  handle: ({ ctx, query }) => usageByModel(ctx, query.period),
});

routes.endpoint("get", "/api/settings/tokens/history", {
  operationId: "listAiCalls",
  summary: "List AI calls",
  description: "Returns each call and its tokens, newest first. Prompts and responses are not stored.",
  guard: user,
  query: CallQuery,
  returns: { 200: AiCallList },
  handle: ({ ctx, query }) => listCalls(ctx, query),
});

routes.endpoint("get", "/api/settings/tokens/packages", {
  operationId: "listTokenPackages",
  summary: "List token packages",
  description: "Returns the packages that can be bought, with the provider's prices.",
  guard: user,
  returns: { 200: TokenPackageList },
  errors: PROVIDER_ERRORS,
  handle: ({ ctx }) => listTokenPackages(ctx),
});

routes.endpoint("post", "/api/settings/tokens/purchase", {
  operationId: "purchaseTokens",
  summary: "Buy tokens",
  description:
    "Returns a payment page of the provider. The tokens are credited once, when the provider's webhook reports the payment. " +
    "Needs the owner's session.",
  guard: user,
  rateLimit: "expensive",
  body: NewPurchase,
  returns: { 201: Checkout },
  errors: ["billing_provider_not_configured", ...PROVIDER_ERRORS],
  idempotent: true,
  handle: ({ ctx, body }) => startPurchase(ctx, body.package),
});

routes.endpoint("put", "/api/settings/tokens/budget", {
  operationId: "setTokenBudget",
  summary: "Set the token budget",
  description: "Limits the tokens per calendar month, from the next model call on. Needs the owner's session.",
  guard: user,
  body: NewBudget,
  returns: { 200: TokenBalance },
  handle: ({ ctx, body }) => setBudget(ctx, body.monthlyLimit),
});

routes.endpoint("get", "/api/settings/tokens/alerts", {
  operationId: "listTokenAlerts",
  summary: "List token alerts",
  description: "Returns your alerts, oldest first.",
  guard: user,
  query: PageQuery,
  returns: { 200: TokenAlertList },
  handle: ({ ctx, query }) => listAlerts(ctx, query),
});

routes.endpoint("post", "/api/settings/tokens/alerts", {
  operationId: "createTokenAlert",
  summary: "Create a token alert",
  description:
    "The alert fires once a month, right after the call that reaches the threshold: you get an email and the webhook event " +
    "`tokens.alert`. You can have 20 alerts.",
  guard: user,
  body: NewTokenAlert,
  returns: { 201: TokenAlert },
  errors: ["conflict"],
  idempotent: true,
  handle: ({ ctx, body }) => createAlert(ctx, body),
});

routes.endpoint("patch", "/api/settings/tokens/alerts/{id}", {
  operationId: "updateTokenAlert",
  summary: "Update a token alert",
  description: "After a change of unit or threshold the alert can fire again in the same month.",
  guard: user,
  body: TokenAlertChanges,
  returns: { 200: TokenAlert },
  errors: ["conflict", "nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateAlert(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/settings/tokens/alerts/{id}", {
  operationId: "deleteTokenAlert",
  summary: "Delete a token alert",
  description: "Deletes one of your alerts.",
  guard: user,
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteAlert(ctx, params.id, ifMatch),
});
