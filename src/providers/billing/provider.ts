import type { SubscriptionStatus } from "../../lib/plans.ts";

export interface Price {
  id: string;
  /** In the currency's smallest unit; null when the price is not fixed. */
  amount: number | null;
  currency: string;
}

export interface ProviderSubscription {
  id: string;
  status: SubscriptionStatus;
  /** The lookup key of its price, which identifies the plan. */
  lookupKey: string | null;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  trialEndsAt: Date | null;
  cancelAtPeriodEnd: boolean;
}

interface ProviderCheckout {
  id: string;
  reference: string | null;
  customerId: string | null;
  paid: boolean;
  metadata: Record<string, string>;
  amount: number | null;
  currency: string | null;
  paymentId: string | null;
  /** The refunded part of the amount. */
  refunded: number;
}

export interface ProviderCharge {
  paymentId: string | null;
  amount: number;
  refunded: number;
}

export interface NewCheckout {
  mode: "subscription" | "payment";
  customerId: string;
  reference: string;
  priceId: string;
  metadata: Record<string, string>;
  successUrl: string;
  cancelUrl: string;
}

export interface Invoice {
  id: string;
  number: string | null;
  status: string | null;
  currency: string;
  total: number;
  amountDue: number;
  amountPaid: number;
  createdAt: Date;
  periodStart: Date;
  periodEnd: Date;
  hostedUrl: string | null;
  pdfUrl: string | null;
  customerId: string | null;
  lines: { description: string | null; amount: number; quantity: number | null }[];
}

export interface PaymentMethod {
  id: string;
  type: string;
  card: { brand: string; last4: string; expMonth: number; expYear: number } | null;
  isDefault: boolean;
}

/** A verified event: what happened to which record. */
export interface ProviderEvent {
  id: string;
  type: string;
  objectId: string | null;
  customerId: string | null;
}

/** `after` is the id of the last record of the previous page. */
export interface ProviderPage {
  limit: number;
  after?: string;
}

export interface Listed<Item> {
  data: Item[];
  hasMore: boolean;
}

export interface BillingProvider {
  name: "none" | "stripe";
  /** By lookup key. Prices that the provider does not have are left out. */
  prices(lookupKeys: readonly string[]): Promise<Map<string, Price>>;
  /** Returns the same customer for the same reference, also in parallel calls. */
  createCustomer(customer: { reference: string; email: string; name: string }): Promise<string>;
  createCheckout(checkout: NewCheckout): Promise<{ id: string; url: string; expiresAt: Date }>;
  createPortal(portal: { customerId: string; returnUrl: string }): Promise<{ url: string }>;
  checkout(id: string): Promise<ProviderCheckout>;
  charge(id: string): Promise<ProviderCharge>;
  /** The newest subscription in force, otherwise the newest. */
  subscription(customerId: string): Promise<ProviderSubscription | null>;
  /** Newest first. */
  invoices(customerId: string, page: ProviderPage): Promise<Listed<Invoice>>;
  invoice(id: string): Promise<Invoice>;
  paymentMethods(customerId: string, page: ProviderPage): Promise<Listed<PaymentMethod>>;
  /** Throws `invalid_signature`. */
  readEvent(rawBody: string, signature: string | null, secret: string, now: Date): Promise<ProviderEvent>;
}
