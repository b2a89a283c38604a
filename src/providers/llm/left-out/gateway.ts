/*
 * Stands in for `@ai-sdk/gateway` in the upload (`alias` in wrangler.toml). The SDK turns to it for models given
 * by a bare name; ours are always objects.
 */

/** The SDK asks of every failure whether it is one of these. */
export class GatewayError extends Error {
  static isInstance(): boolean {
    return false;
  }
}

export class GatewayAuthenticationError extends GatewayError {}

export function createGateway(): never {
  throw new Error("There is no gateway: a model is an object of its provider.");
}

export const gateway = createGateway;
