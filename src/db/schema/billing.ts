import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { INTERVALS, PLAN_IDS, SUBSCRIPTION_STATUSES, TOKEN_PACKAGE_IDS } from "../../lib/plans.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/**
 * One row: what the service has bought. Verified webhooks write everything but the customer, with the subscription as
 * fetched from the provider.
 */
export const billingAccount = sqliteTable("billing_account", {
  id: integer("id").primaryKey(),
  /** Identifies this service at the provider. Replaced when the customer is deleted there. */
  reference: text("reference").notNull(),
  customerId: text("customer_id"),
  /** The plan in force, which may differ from the plan ordered. Null before the first subscription. */
  plan: text("plan", { enum: PLAN_IDS }),
  subscriptionId: text("subscription_id"),
  status: text("status", { enum: SUBSCRIPTION_STATUSES }),
  interval: text("interval", { enum: INTERVALS }),
  currentPeriodStart: moment("current_period_start"),
  currentPeriodEnd: moment("current_period_end"),
  trialEndsAt: moment("trial_ends_at"),
  cancelAtPeriodEnd: integer("cancel_at_period_end", { mode: "boolean" }).notNull().default(false),
  /** Tokens ever bought, less refunds. Written by triggers on `billing_purchases`. */
  purchasedTokens: integer("purchased_tokens").notNull().default(0),
  /** Taken before each request to the provider, so that a late response never replaces a newer one. */
  lastTicket: integer("last_ticket").notNull().default(0),
  stateTicket: integer("state_ticket").notNull().default(0),
  updatedAt: moment("updated_at"),
});

/** Events of the provider that were processed, so that each is processed once. */
export const billingEvents = sqliteTable("billing_events", {
  id: text("id").primaryKey(),
  type: text("type").notNull(),
  receivedAt: moment("received_at").notNull(),
});

/** Paid token packages. A checkout is credited once, however many events report it. */
export const billingPurchases = sqliteTable("billing_purchases", {
  checkoutId: text("checkout_id").primaryKey(),
  package: text("package", { enum: TOKEN_PACKAGE_IDS }).notNull(),
  tokens: integer("tokens").notNull(),
  /** Tokens removed because of a refund. */
  refundedTokens: integer("refunded_tokens").notNull().default(0),
  /** The payment, which refunds refer to. */
  paymentId: text("payment_id").unique(),
  /** In the currency's smallest unit. */
  amount: integer("amount"),
  currency: text("currency"),
  userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
  creditedAt: moment("credited_at").notNull(),
});
