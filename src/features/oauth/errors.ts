const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 403,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  /** Not of the standard, which has no name for it. */
  slow_down: 429,
} as const;
type OAuthCode = keyof typeof STATUSES;

/** An error as OAuth names it. */
export class OAuthError extends Error {
  readonly code: OAuthCode;

  constructor(code: OAuthCode, message: string) {
    super(message);
    this.name = "OAuthError";
    this.code = code;
  }

  get status() {
    return STATUSES[this.code];
  }

  get body() {
    return { error: this.code, error_description: this.message };
  }
}
