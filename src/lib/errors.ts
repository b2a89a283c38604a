import type { DataScope } from "./api-key-scopes.ts";
/** Every error code the API can return, with its HTTP status and title. */
export const ERRORS = {
  invalid_json: [400, "The body is not valid JSON"],
  unauthenticated: [401, "Authentication is required"],
  invalid_credentials: [401, "The email or password is wrong"],
  session_revoked: [401, "The session has ended"],
  token_expired: [401, "The token has expired"],
  refresh_reused: [401, "The refresh token was already used, so its session was ended"],
  invalid_code: [401, "The code is wrong or was already used"],
  challenge_expired: [401, "The sign-in attempt has expired; sign in again"],
  invalid_signature: [401, "The signature is wrong"],
  forbidden: [403, "This request is not allowed"],
  registration_closed: [403, "Registration is closed"],
  insufficient_scope: [403, "The API key does not have the required scope"],
  reauthentication_required: [403, "Confirm your identity again"],
  wrong_code: [403, "The code is wrong"],
  setup_token_required: [403, "The owner's registration needs the setup token"],
  not_found: [404, "The record does not exist"],
  route_not_found: [404, "The path does not exist"],
  method_not_allowed: [405, "The path does not support this method"],
  conflict: [409, "The request conflicts with the current state"],
  email_taken: [409, "An account with this email address already exists"],
  email_already_verified: [409, "The email address is already verified"],
  email_already_sent: [409, "The email was sent, or may have been"],
  new_owner_required: [409, "Name the next owner of the service"],
  bookingsvc_not_configured: [409, "No booking provider is connected"],
  sync_in_progress: [409, "A sync is already running"],
  proposal_settled: [409, "The proposal was already applied or dismissed"],
  proposal_outdated: [409, "The record of the proposal has changed"],
  proposal_expired: [409, "The proposal has expired"],
  time_conflict: [409, "The time is already taken"],
  not_an_invitation: [409, "The event is not an invitation"],
  organizer_unreachable: [409, "The organizer cannot be notified"],
  invalid_transition: [409, "The status cannot change this way"],
  no_platform_connected: [409, "No platform is connected"],
  stream_already_live: [409, "Another session is live on this platform"],
  milestone_exists: [409, "A milestone with this metric and threshold already exists"],
  milestone_reached: [409, "The milestone has already been reached"],
  two_factor_already_enabled: [409, "Two-factor authentication is already on"],
  two_factor_not_enabled: [409, "Two-factor authentication is not on"],
  already_subscribed: [409, "A subscription already exists"],
  plan_limit_reached: [409, "The plan's limit is reached"],
  webhook_limit_reached: [409, "The limit of webhook endpoints is reached"],
  list_limit_reached: [409, "The limit of task lists is reached"],
  list_exists: [409, "A list with this name already exists"],
  contact_exists: [409, "Another contact has one of these addresses"],
  not_repeating: [409, "The task does not repeat"],
  undo_expired: [409, "The change can no longer be undone"],
  undo_outdated: [409, "The record has changed since the action"],
  rule_limit_reached: [409, "The limit of email rules is reached"],
  search_limit_reached: [409, "The limit of saved searches is reached"],
  block_limit_reached: [409, "The limit of blocked senders is reached"],
  unsubscribe_unavailable: [409, "The mailing list cannot be left this way"],
  webhook_disabled: [409, "The webhook endpoint is disabled"],
  idempotency_in_flight: [409, "The first request with this Idempotency-Key is still running"],
  idempotency_unfinished: [409, "The first request with this Idempotency-Key stopped after it had made changes"],
  version_conflict: [412, "The record has changed since the action you read it"],
  body_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The media type of the body is not supported"],
  range_not_satisfiable: [416, "The range is outside the file"],
  validation_failed: [422, "The request is not valid"],
  weak_password: [422, "The password is too easy to guess"],
  invalid_token: [422, "The token is not valid or was already used"],
  invalid_api_key: [422, "The provider rejected the API key"],
  mailbox_auth_failed: [422, "The mail server refused the user name or the password"],
  no_meeting_detected: [422, "No meeting was found in the text"],
  nothing_to_update: [422, "The body contains no field that can be changed"],
  invalid_cursor: [422, "The cursor is not valid for this list"],
  idempotency_mismatch: [422, "This Idempotency-Key was used for a different request"],
  rate_limited: [429, "Too many requests"],
  account_locked: [429, "Too many failed attempts; the account is temporarily locked"],
  token_budget_exhausted: [429, "The AI token budget of this month is used up"],
  internal: [500, "An internal error occurred"],
  mail_not_configured: [501, "Outgoing email is not configured"],
  push_not_configured: [501, "Web Push is not configured"],
  billing_provider_not_configured: [501, "No billing provider is configured"],
  provider_error: [502, "The provider returned an error"],
  provider_unauthorized: [502, "The provider rejected the stored credential"],
  provider_not_found: [502, "The provider does not have this record"],
  provider_timeout: [504, "The provider did not respond in time"],
  model_not_configured: [503, "No language model is configured"],
  misconfigured: [503, "The service is not fully configured"],
  storage_full: [503, "The database is full"],
  unavailable: [503, "The service is temporarily unavailable"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** One invalid field; `path` is dotted: `email`, `attendees.0.email`. */
export interface FieldError {
  path: string;
  message: string;
}

interface ErrorExtras {
  /** The scope that reads the records which the detail or the details quote. Without it, neither is sent. */
  readBy?: DataScope;
  errors?: FieldError[];
  /** Seconds to wait, sent as `Retry-After`. */
  retryAfter?: number;
  /** The methods the path supports, sent as `Allow`. */
  allow?: string;
  /** The size of the file whose range was asked for, sent in `Content-Range`. */
  fileSize?: number;
  /** Further members of the problem document, such as `allowed` states. */
  details?: Record<string, unknown>;
  /** Whose words the detail repeats from stored records. Left out: none, if its code is in `OWN_WORDS`; else unknown. */
  quotes?: "own" | "outside";
}

/**
 * The codes whose details are the service's own words, and words of the request itself. Every other detail may repeat
 * what other people or services wrote, so a model or an agent gets it as such: see `mayQuoteOthers`.
 */
const OWN_WORDS: readonly ErrorCode[] = [
  // Nothing was found that could be repeated.
  ...(["not_found", "undo_expired"] as const),
  // These repeat numbers, names of fields and statuses, and the input.
  ...(["validation_failed", "nothing_to_update", "invalid_cursor", "invalid_transition", "version_conflict"] as const),
  ...([
    "undo_outdated",
    "list_limit_reached",
    "list_exists",
    "contact_exists",
    "not_repeating",
    "not_an_invitation",
  ] as const),
  ...(["insufficient_scope", "forbidden", "rate_limited", "mail_not_configured", "storage_full"] as const),
  ...(["idempotency_in_flight", "idempotency_unfinished", "idempotency_mismatch"] as const),
];

/** Thrown where a rule is broken; only `http/problem.ts` turns it into a response. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, detail = `${ERRORS[code][1]}.`, extras: ErrorExtras = {}) {
    super(detail);
    this.name = "AppError";
    this.code = code;
    this.extras = extras;
  }

  get status(): (typeof ERRORS)[ErrorCode][0] {
    return ERRORS[this.code][0];
  }

  /** Whether the detail may have words that other people or programs wrote. True unless it is known not to. */
  get mayQuoteOthers(): boolean {
    const { quotes } = this.extras;
    return quotes === undefined ? !OWN_WORDS.includes(this.code) && !this.isPlain : quotes === "outside";
  }

  /** The sentence of the code, and nothing else. */
  private get isPlain(): boolean {
    return this.message === `${ERRORS[this.code][1]}.`;
  }
}

const MAX_DETAIL = 1000;

/** Invalid input. A message that completes "<field> …" makes a sentence with its path: `title must not be empty`. */
export function validationFailed(...errors: FieldError[]): AppError {
  const detail = errors.map(sentenceOf).join("; ");
  const whole = detail.length < MAX_DETAIL ? detail.replace(/\.?$/, ".") : `${detail.slice(0, MAX_DETAIL - 1)}…`;
  return new AppError("validation_failed", whole, { errors });
}

function sentenceOf({ path, message }: FieldError): string {
  const completes = /^(?:must|is|are|may|can|cannot|has|does|needs)\b/.test(message);
  if (completes) return `${path || "The body"} ${message}`;
  return path ? `${path}: ${message}` : message;
}
