import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, withETag } from "../../../http/etag.ts";
import { user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { startPurchase } from "../../billing/checkout.ts";
import { Checkout, PROVIDER_ERRORS } from "../../billing/schemas.ts";
import { listTokenPackages } from "../../billing/service.ts";
import { createAlert, deleteAlert, listAlerts, updateAlert } from "./alerts.ts";
import { getBalance, setBudget } from "./budget.ts";
import { listCalls, usageByDay, usageByModel } from "./figures.ts";
import {
  AiCallList,
  AlertParams,
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

routes.openapi(
  route("get", "/api/settings/tokens/balance", {
    operationId: "getTokenBalance",
    summary: "Get the token balance",
    description:
      "Returns the tokens used this month and the tokens left. When none are left, the built-in engine replaces the models. " +
      "Purchased tokens extend the plan's allowance, never the owner's budget.",
    guard: user,
    returns: { 200: TokenBalance },
  }),
  async (c) => c.json(await getBalance(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/usage", {
    operationId: "getTokenUsage",
    summary: "Get AI usage by day",
    description: "Returns calls and tokens for each day of the period, in UTC.",
    guard: user,
    query: PeriodQuery,
    returns: { 200: TokenUsage },
  }),
  async (c) => c.json(await usageByDay(contextOf(c), c.req.valid("query").period), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/usage/by-model", {
    operationId: "getTokenUsageByModel",
    summary: "Get AI usage by model",
    description: "Returns calls and tokens for each model used in the period.",
    guard: user,
    query: PeriodQuery,
    returns: { 200: TokenUsageByModel },
  }),
  async (c) => c.json(await usageByModel(contextOf(c), c.req.valid("query").period), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/history", {
    operationId: "listAiCalls",
    summary: "List AI calls",
    description: "Returns each call and its tokens, newest first. Prompts and responses are not stored.",
    guard: user,
    query: CallQuery,
    returns: { 200: AiCallList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listCalls(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/packages", {
    operationId: "listTokenPackages",
    summary: "List token packages",
    description: "Returns the packages that can be bought, with the provider's prices.",
    guard: user,
    returns: { 200: TokenPackageList },
    errors: PROVIDER_ERRORS,
  }),
  async (c) => c.json(await listTokenPackages(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/settings/tokens/purchase", {
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
  }),
  async (c) => c.json(await startPurchase(contextOf(c), c.req.valid("json").package), 201),
);

routes.openapi(
  route("put", "/api/settings/tokens/budget", {
    operationId: "setTokenBudget",
    summary: "Set the token budget",
    description: "Limits the tokens per calendar month, from the next model call on. Needs the owner's session.",
    guard: user,
    body: NewBudget,
    returns: { 200: TokenBalance },
  }),
  async (c) => c.json(await setBudget(contextOf(c), c.req.valid("json").monthlyLimit), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/alerts", {
    operationId: "listTokenAlerts",
    summary: "List token alerts",
    description: "Returns your alerts, oldest first.",
    guard: user,
    query: PageQuery,
    returns: { 200: TokenAlertList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listAlerts(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/settings/tokens/alerts", {
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
  }),
  async (c) => c.json(withETag(c, await createAlert(contextOf(c), c.req.valid("json"))), 201),
);

routes.openapi(
  route("patch", "/api/settings/tokens/alerts/{id}", {
    operationId: "updateTokenAlert",
    summary: "Update a token alert",
    description: "After a change of unit or threshold the alert can fire again in the same month.",
    guard: user,
    params: AlertParams,
    body: TokenAlertChanges,
    returns: { 200: TokenAlert },
    errors: ["not_found", "conflict", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await updateAlert(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/settings/tokens/alerts/{id}", {
    operationId: "deleteTokenAlert",
    summary: "Delete a token alert",
    description: "Deletes one of your alerts.",
    guard: user,
    params: AlertParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await deleteAlert(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);
