import type { z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import { HTTPException } from "hono/http-exception";
import { hasScope } from "../context.ts";
import { brokeConstraint } from "../db/constraint.ts";
import { isDatabaseFull } from "../db/full.ts";
import { AppError, ERRORS, validationFailed } from "../lib/errors.ts";
import { errorFields, log } from "../log.ts";
import { actorBehind } from "./admission/check.ts";
import type { AppEnv } from "./app-env.ts";
import { bearerOf } from "./bearer.ts";
import { fieldErrors } from "./validation-messages.ts";

export function problem(c: HonoContext<AppEnv>, thrown: AppError): Response {
  const { readBy } = thrown.extras;
  // A request that reached its handler has been identified.
  const isReadable = !readBy || hasScope(c.get("context").actor, [readBy]);
  const error = isReadable ? thrown : new AppError(thrown.code);
  const { status } = error;
  const { retryAfter, allow, fileSize } = error.extras;
  if (allow !== undefined) c.header("Allow", allow);
  if (retryAfter !== undefined) c.header("Retry-After", String(Math.max(1, Math.ceil(retryAfter))));
  if (fileSize !== undefined) c.header("Content-Range", `bytes */${fileSize}`);
  if (status === 401) c.header("WWW-Authenticate", challengeOf(error));
  const body = problemDocument(error, c.get("context").requestId);
  return c.json(body, status, { "Content-Type": "application/problem+json" });
}

export function problemDocument(error: AppError, requestId: string) {
  const [status, title] = ERRORS[error.code];
  const { errors, details } = error.extras;
  return {
    // First, so that no detail replaces a member of the standard.
    ...details,
    type: `urn:poa:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(errors && { errors }),
  };
}

/** On `invalid_token` a client refreshes its token or signs the person out, so no other failure may claim it. */
function challengeOf({ code }: AppError): string {
  const isToken = code === "session_revoked" || code === "token_expired";
  return `Bearer realm="poa"${isToken ? ', error="invalid_token"' : ""}`;
}

/** The only place where an error becomes a response. */
export async function errorResponse(error: Error, c: HonoContext<AppEnv>): Promise<Response> {
  const known = toAppError(error) ?? (await accountGone(error, c));
  return problem(c, known ?? unexpected(error, c.get("context").requestId));
}

/** A foreign key fails when the account was deleted while its request was running: then say so, as a 401. */
async function accountGone(error: Error, c: HonoContext<AppEnv>): Promise<AppError | null> {
  const credential = bearerOf(c.req.header("authorization"));
  if (!credential || !brokeConstraint(error, "FOREIGN KEY")) return null;
  try {
    const ctx = c.get("context");
    await actorBehind(ctx, await c.get("readCredential")(ctx, credential));
    return null;
  } catch (refusal) {
    return refusal instanceof AppError ? refusal : null;
  }
}

/** Logs an unforeseen failure; the client gets no more than the id to find it by. */
export function unexpected(error: unknown, requestId: string): AppError {
  log("error", "request_failed", { requestId, ...errorFields(error) });
  return new AppError("internal", "The error was logged with this requestId.");
}

/** The nightly purge may have made room by then. */
const FULL_RETRY_SECONDS = 3600;

function toAppError(error: Error): AppError | null {
  if (error instanceof AppError) return error;
  // The query builder wraps what a rider of the request's database throws.
  if (error.cause instanceof AppError) return error.cause;
  if (isDatabaseFull(error)) {
    log("error", "database_full", errorFields(error));
    return new AppError(
      "storage_full",
      "The database is full, so nothing can be stored. Reading and deleting still work: delete emails, empty the trash or shorten the retention.",
      { retryAfter: FULL_RETRY_SECONDS },
    );
  }
  if (!(error instanceof HTTPException)) return null;
  // Raised by @hono/zod-openapi before our handlers run: a body that is not JSON, or not of a declared type.
  if (error.status === 400) return new AppError("invalid_json", "The body could not be read as JSON.");
  if (error.status === 415) {
    return new AppError("unsupported_media_type", "Send JSON with Content-Type: application/json.");
  }
  return null;
}

interface Validation {
  success: boolean;
  error?: { issues: readonly z.core.$ZodIssue[] };
  /** The input as it was sent. */
  data?: unknown;
  target?: string;
}

/** zod-openapi calls this after each validation; a failure lists every offending path. */
export function rejectInvalidInput({ success, error, data, target }: Validation): void {
  if (!success && error) throw validationFailed(...fieldErrors(error.issues, data, target === "query"));
}
