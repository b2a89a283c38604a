import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, withETag } from "../../../http/etag.ts";
import { user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { startPurchase } from "../../billing/checkout.ts";
import { PROVIDER_ERRORS } from "../../billing/schemas.ts";
import { listTokenPackages } from "../../billing/service.ts";
import { Checkout } from "../../billing/settings/schemas.ts";
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
    summary: "This month's AI tokens",
    description:
      "What models have used, and what they may still use. When nothing is left, the built-in engine answers in their place. Bought tokens lift the plan's allowance, never the owner's own budget.",
    guard: user,
    returns: { 200: TokenBalance },
  }),
  async (c) => c.json(await getBalance(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/usage", {
    operationId: "getTokenUsage",
    summary: "AI use by day",
    guard: user,
    query: PeriodQuery,
    returns: { 200: TokenUsage },
  }),
  async (c) => c.json(await usageByDay(contextOf(c), c.req.valid("query").period), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/usage/by-model", {
    operationId: "getTokenUsageByModel",
    summary: "AI use by model",
    guard: user,
    query: PeriodQuery,
    returns: { 200: TokenUsageByModel },
  }),
  async (c) => c.json(await usageByModel(contextOf(c), c.req.valid("query").period), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/history", {
    operationId: "listAiCalls",
    summary: "Every AI call and its cost",
    description: "Newest first. What was asked and answered is not kept.",
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
    summary: "Tokens to buy",
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
      "Answers with a page of the provider to pay on; the tokens are credited, once, when the provider's webhook says they are paid. The owner's session only.",
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
    summary: "Limit a month's tokens",
    description: "The owner's session only. Holds from the next model call on.",
    guard: user,
    body: NewBudget,
    returns: { 200: TokenBalance },
  }),
  async (c) => c.json(await setBudget(contextOf(c), c.req.valid("json").monthlyLimit), 200),
);

routes.openapi(
  route("get", "/api/settings/tokens/alerts", {
    operationId: "listTokenAlerts",
    summary: "Your token alerts",
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
    summary: "Be told when tokens run low",
    description:
      "Fires once a month, right after the call that reaches it: as a mail to you and as the outbound event `tokens.alert`.",
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
    summary: "Change a token alert",
    description: "An alert with another threshold may fire again in the same month.",
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
    guard: user,
    params: AlertParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await deleteAlert(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);
