/*
 * Replaces `@ai-sdk/gateway` in the upload (`alias` in scripts/build.mjs). The SDK uses it only for models given by name;
 * ours are always objects.
 */

/** The SDK checks every failure against this class. */
export class GatewayError extends Error {
  static isInstance(): boolean {
    return false;
  }
}

export class GatewayAuthenticationError extends GatewayError {}

export function createGateway(): never {
  throw new Error("The gateway is not part of this service.");
}

export const gateway = createGateway;
