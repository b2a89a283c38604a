import { AppError, ERRORS, type ErrorCode, validationFailed } from "../lib/errors.ts";
import { problemDocument } from "./problem.ts";

/** Details for the API reference, where a real one says more than the title of its code. */
const DETAILS: Partial<Record<ErrorCode, string>> = {
  invalid_json: "The body could not be read as JSON.",
  unauthenticated: "Send `Authorization: Bearer <token>` with a session token or an API key.",
  forbidden: "Only the owner may do this.",
  insufficient_scope: "The API key needs the scope `tasks:write`.",
  reauthentication_required: "Send `currentPassword`.",
  not_found: "There is no record 7.",
  time_conflict: "The time is taken by: Weekly planning.",
  invalid_transition: "The status cannot change from ended to live.",
  version_conflict: "The record is at version 4. Read it again.",
  body_too_large: "A body may have at most 1048576 bytes.",
  unsupported_media_type: "Send JSON with Content-Type: application/json.",
  idempotency_mismatch: "Use a new Idempotency-Key for a different request.",
  idempotency_in_flight: "Repeat the request in a moment to get its response.",
  rate_limited: "Too many requests from this address. Try again in a minute.",
  internal: "The error was logged with this requestId.",
  misconfigured: "JWT_SECRET is missing. Set it with `wrangler secret put JWT_SECRET`.",
};

const INVALID = [
  { path: "title", message: "must not be empty" },
  { path: "priority", message: "must be low, medium, high or urgent" },
];

const REQUEST_ID = "0b6e2f0a-6f0e-4a53-9d0e-6a4c3f0c6b1d";

/** Code → an example of its response, for `components.examples` of the OpenAPI document. */
export function problemExamples(codes: readonly ErrorCode[]): Record<string, { summary: string; value: object }> {
  return Object.fromEntries(codes.map((code) => [code, exampleOf(code)]));
}

function exampleOf(code: ErrorCode) {
  const error = code === "validation_failed" ? validationFailed(...INVALID) : new AppError(code, DETAILS[code]);
  return { summary: ERRORS[code][1], value: problemDocument(error, REQUEST_ID) };
}
