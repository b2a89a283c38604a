import type { Config } from "../../config.ts";
import { noProvider } from "./none.ts";
import type { BillingProvider } from "./provider.ts";
import { createStripeProvider } from "./stripe.ts";

const providers = new WeakMap<Config, BillingProvider>();

/** One instance for all requests of an isolate. */
export function billingProvider(config: Config): BillingProvider {
  let provider = providers.get(config);
  if (!provider) {
    const { STRIPE_SECRET_KEY, STRIPE_API_URL } = config;
    provider = STRIPE_SECRET_KEY ? createStripeProvider(STRIPE_API_URL, STRIPE_SECRET_KEY) : noProvider;
    providers.set(config, provider);
  }
  return provider;
}
