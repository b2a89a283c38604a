import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { INTERVALS, PLAN_IDS, SUBSCRIPTION_STATUSES, TOKEN_PACKAGE_IDS } from "../../lib/plans.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/**
 * One row: what the service has bought. All but the customer is written from verified webhooks only, with the
 * subscription as the provider told it when asked.
 */
export const billingAccount = sqliteTable("billing_account", {
  id: integer("id").primaryKey(),
  /** Names this service to the provider; new after the provider's customer is deleted. */
  reference: text("reference").notNull(),
  customerId: text("customer_id"),
  /** What the service is entitled to, and not just what was ordered; null before the first subscription. */
  plan: text("plan", { enum: PLAN_IDS }),
  subscriptionId: text("subscription_id"),
  status: text("status", { enum: SUBSCRIPTION_STATUSES }),
  interval: text("interval", { enum: INTERVALS }),
  currentPeriodStart: moment("current_period_start"),
  currentPeriodEnd: moment("current_period_end"),
  trialEndsAt: moment("trial_ends_at"),
  cancelAtPeriodEnd: integer("cancel_at_period_end", { mode: "boolean" }).notNull().default(false),
  /** All tokens ever bought. Written by a trigger on `billing_purchases` only. */
  purchasedTokens: integer("purchased_tokens").notNull().default(0),
  /** Drawn before each question to the provider: an answer never replaces that of a later question. */
  lastTicket: integer("last_ticket").notNull().default(0),
  stateTicket: integer("state_ticket").notNull().default(0),
  updatedAt: moment("updated_at"),
});

/** The provider's events that were taken, so that each is taken once. */
export const billingEvents = sqliteTable("billing_events", {
  id: text("id").primaryKey(),
  type: text("type").notNull(),
  receivedAt: moment("received_at").notNull(),
});

/** Tokens that were paid for; a checkout is credited once, whichever events tell of it. */
export const billingPurchases = sqliteTable("billing_purchases", {
  checkoutId: text("checkout_id").primaryKey(),
  package: text("package", { enum: TOKEN_PACKAGE_IDS }).notNull(),
  tokens: integer("tokens").notNull(),
  /** Taken back because the money was. */
  refundedTokens: integer("refunded_tokens").notNull().default(0),
  /** The payment, which is what refunds name. */
  paymentId: text("payment_id").unique(),
  /** In the currency's smallest unit. */
  amount: integer("amount"),
  currency: text("currency"),
  userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
  creditedAt: moment("credited_at").notNull(),
});
