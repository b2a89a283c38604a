import type { SubscriptionStatus } from "../../lib/plans.ts";

export interface Price {
  id: string;
  /** In the currency's smallest unit; null when the provider has no fixed one. */
  amount: number | null;
  currency: string;
}

export interface ProviderSubscription {
  id: string;
  status: SubscriptionStatus;
  /** The name of its price, which says the plan. */
  lookupKey: string | null;
  currentPeriodStart: Date | null;
  currentPeriodEnd: Date | null;
  trialEndsAt: Date | null;
  cancelAtPeriodEnd: boolean;
}

/** What was agreed at a checkout, by now. */
export interface ProviderCheckout {
  id: string;
  reference: string | null;
  customerId: string | null;
  paid: boolean;
  metadata: Record<string, string>;
  amount: number | null;
  currency: string | null;
  paymentId: string | null;
  /** How much of the amount has been given back. */
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

/** A verified delivery: what happened to which record. A hint, to be followed by a question. */
export interface ProviderEvent {
  id: string;
  type: string;
  objectId: string | null;
  customerId: string | null;
}

/** A page of what the provider lists; `after` is the id of the last record of the page before. */
export interface ProviderPage {
  limit: number;
  after?: string;
}

export interface Listed<Item> {
  data: Item[];
  hasMore: boolean;
}

/** What the service needs of a billing provider; a second provider is a second file with this shape. */
export interface BillingProvider {
  name: "none" | "stripe";
  /** By lookup key; a price the provider does not have is left out. */
  prices(lookupKeys: readonly string[]): Promise<Map<string, Price>>;
  /** The same reference gives the same customer, also when asked twice at once. */
  createCustomer(customer: { reference: string; email: string; name: string }): Promise<string>;
  createCheckout(checkout: NewCheckout): Promise<{ id: string; url: string; expiresAt: Date }>;
  createPortal(portal: { customerId: string; returnUrl: string }): Promise<{ url: string }>;
  checkout(id: string): Promise<ProviderCheckout>;
  charge(id: string): Promise<ProviderCharge>;
  /** The customer's subscription that counts: the newest of those in force, else the newest. */
  subscription(customerId: string): Promise<ProviderSubscription | null>;
  /** Newest first. */
  invoices(customerId: string, page: ProviderPage): Promise<Listed<Invoice>>;
  invoice(id: string): Promise<Invoice>;
  paymentMethods(customerId: string, page: ProviderPage): Promise<Listed<PaymentMethod>>;
  /** The event in a delivery, or `invalid_signature`. */
  readEvent(rawBody: string, signature: string | null, secret: string, now: Date): Promise<ProviderEvent>;
}
