/** Every failure the service can answer with: its code, HTTP status and title. The only such table. */
export const ERRORS = {
  invalid_json: [400, "The body is not valid JSON"],
  unauthenticated: [401, "A credential is required"],
  invalid_credentials: [401, "Email or password is wrong"],
  session_revoked: [401, "The session has ended"],
  token_expired: [401, "The token has expired"],
  refresh_reused: [401, "The refresh token was used before; its session has been ended"],
  invalid_code: [401, "The code is wrong or was used before"],
  challenge_expired: [401, "The sign-in challenge is no longer valid; sign in again"],
  invalid_signature: [401, "The signature is wrong"],
  forbidden: [403, "This credential may not do that"],
  registration_closed: [403, "Registration is closed"],
  insufficient_scope: [403, "The API key lacks the scope for this"],
  reauthentication_required: [403, "Prove who you are again"],
  not_found: [404, "There is no such record"],
  route_not_found: [404, "There is no such path"],
  method_not_allowed: [405, "The path does not take this method"],
  conflict: [409, "The request conflicts with the current state"],
  email_taken: [409, "An account with this email exists"],
  email_already_verified: [409, "The address has proved itself already"],
  new_owner_required: [409, "Somebody must own the service after you"],
  bookingsvc_not_configured: [409, "No booking provider is connected"],
  sync_in_progress: [409, "A sync is already running"],
  proposal_settled: [409, "The proposal was applied or dismissed before"],
  proposal_expired: [409, "The proposal has expired"],
  time_conflict: [409, "The time is already taken"],
  invalid_transition: [409, "The status cannot change like that"],
  no_platform_connected: [409, "No platform is connected"],
  stream_already_live: [409, "Another session is live on this platform"],
  milestone_exists: [409, "There is a milestone of this metric and threshold"],
  milestone_reached: [409, "The milestone has been reached"],
  two_factor_already_enabled: [409, "Two-factor authentication is already on"],
  two_factor_not_enabled: [409, "Two-factor authentication is not on"],
  already_subscribed: [409, "There is a subscription already"],
  plan_limit_reached: [409, "The plan does not allow more of these"],
  webhook_limit_reached: [409, "No more webhook endpoints can be added"],
  webhook_disabled: [409, "The webhook endpoint is switched off"],
  idempotency_in_flight: [409, "The first request with this Idempotency-Key is still running"],
  idempotency_unfinished: [409, "The first request with this Idempotency-Key was cut off after its change"],
  version_conflict: [412, "The record has changed since you read it"],
  body_too_large: [413, "The body is larger than the service accepts"],
  unsupported_media_type: [415, "The body's media type is not accepted here"],
  validation_failed: [422, "The request breaks a rule"],
  invalid_token: [422, "The token is not valid or was used before"],
  invalid_api_key: [422, "The provider refused the API key"],
  no_meeting_detected: [422, "No meeting was found"],
  nothing_to_update: [422, "The body names nothing that can be changed"],
  invalid_cursor: [422, "The cursor is not one this list gave"],
  idempotency_mismatch: [422, "This Idempotency-Key was used for another request"],
  rate_limited: [429, "Too many requests"],
  account_locked: [429, "Too many wrong guesses; the account is locked for a while"],
  token_budget_exhausted: [429, "This month's AI tokens are used up"],
  internal: [500, "Something went wrong on our side"],
  mail_not_configured: [501, "Outgoing mail is not set up"],
  billing_provider_not_configured: [501, "No billing provider is set up"],
  provider_error: [502, "The provider is in trouble"],
  provider_unauthorized: [502, "The provider refused our credential"],
  provider_not_found: [502, "The provider does not have what was asked for"],
  provider_timeout: [504, "The provider did not answer in time"],
  model_not_configured: [503, "No model is set up for this"],
  misconfigured: [503, "The service is not configured for this"],
  unavailable: [503, "The service is not available right now"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** One offending place in the input; `path` is dotted: `email`, `attendees.0.email`. */
export interface FieldError {
  path: string;
  message: string;
}

interface ErrorExtras {
  errors?: FieldError[];
  /** Seconds to wait, sent as `Retry-After`. */
  retryAfter?: number;
  /** The methods the path does take, sent as `Allow`. */
  allow?: string;
  /** Further members of the problem document, such as `allowed` states. */
  details?: Record<string, unknown>;
}

/** A rule was broken. Thrown where the rule lives, turned into an answer only by `http/problem`. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, detail: string = ERRORS[code][1], extras: ErrorExtras = {}) {
    super(detail);
    this.name = "AppError";
    this.code = code;
    this.extras = extras;
  }

  get status(): (typeof ERRORS)[ErrorCode][0] {
    return ERRORS[this.code][0];
  }
}

const MAX_DETAIL = 1000;

/** Invalid input. A message that completes "<field> …" makes a sentence with its path: `title must not be empty`. */
export function validationFailed(...errors: FieldError[]): AppError {
  const detail = errors.map(sentenceOf).join("; ");
  const whole = detail.length < MAX_DETAIL ? `${detail}.` : `${detail.slice(0, MAX_DETAIL - 1)}…`;
  return new AppError("validation_failed", whole, { errors });
}

function sentenceOf({ path, message }: FieldError): string {
  const completes = /^(?:must|is|are|may|can|cannot|has|does|needs)\b/.test(message);
  if (completes) return `${path || "The body"} ${message}`;
  return path ? `${path}: ${message}` : message;
}
