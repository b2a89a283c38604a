/*
 * Stands in, in the upload, for parts of Stripe's client that nothing here reaches (`alias` in wrangler.toml): the
 * list of all resources by name, and the areas of card issuing, treasury, terminals, test clocks, quotes, payment links
 * and API version 2 with its notifications.
 */

class Nothing {}

export {
  Nothing as Issuing,
  Nothing as OAuthResource,
  Nothing as PaymentLinkResource,
  Nothing as QuoteResource,
  Nothing as StripeEventNotificationHandler,
  Nothing as Terminal,
  Nothing as TestHelpers,
  Nothing as Treasury,
  Nothing as V2,
};
