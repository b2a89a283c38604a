import { AppError } from "../../lib/errors.ts";
import type { BillingProvider } from "./provider.ts";

export function billingNotConfigured(): AppError {
  return new AppError(
    "billing_provider_not_configured",
    "This service has no billing provider. Its operator can add one by setting STRIPE_SECRET_KEY.",
  );
}

async function notConfigured(): Promise<never> {
  throw billingNotConfigured();
}

/** For a service without billing: lists are empty and nothing can be bought. */
export const noProvider: BillingProvider = {
  name: "none",
  prices: async () => new Map(),
  createCustomer: notConfigured,
  createCheckout: notConfigured,
  createPortal: notConfigured,
  checkout: notConfigured,
  charge: notConfigured,
  subscription: async () => null,
  invoices: async () => ({ data: [], hasMore: false }),
  invoice: async () => {
    throw new AppError("not_found", "Without a billing provider there are no invoices.");
  },
  paymentMethods: async () => ({ data: [], hasMore: false }),
  readEvent: notConfigured,
};
