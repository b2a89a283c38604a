/*
 * Stands in for `@ai-sdk/gateway` in the upload (`alias` in wrangler.toml). The SDK turns to it for models given
 * by a bare name; ours are always objects.
 */

export class GatewayError extends Error {}

export class GatewayAuthenticationError extends GatewayError {}

export function createGateway(): never {
  throw new Error("There is no gateway: a model is an object of its provider.");
}

export const gateway = createGateway;
