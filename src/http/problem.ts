import { z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import { HTTPException } from "hono/http-exception";
import { brokeConstraint } from "../db/constraint.ts";
import { AppError, ERRORS, type FieldError } from "../lib/errors.ts";
import { errorFields, log } from "../log.ts";
import type { AppEnv } from "./app-env.ts";
import { bearerOf } from "./bearer.ts";

export const Problem = z
  .object({
    type: z.string().openapi({ example: "urn:poa:problem:not_found" }),
    title: z.string().openapi({ example: "There is no such record" }),
    status: z.int().openapi({ example: 404 }),
    detail: z.string().openapi({ example: "There is no task 7." }),
    code: z.string().openapi({ example: "not_found" }),
    requestId: z.string().openapi({ example: "0b6e2f0a-6f0e-4a53-9d0e-6a4c3f0c6b1d" }),
    errors: z
      .array(
        z.object({
          path: z.string().openapi({ example: "title" }),
          message: z.string().openapi({ example: "Too small: expected string to have >=1 characters" }),
        }),
      )
      .optional()
      .openapi({ description: "Every offending place in the input." }),
  })
  .openapi("Problem", {
    description: "A failure, as RFC 9457 describes it. `code` is the stable part to program against.",
  });

export function problem(c: HonoContext<AppEnv>, error: AppError): Response {
  const { status } = error;
  const { retryAfter, allow } = error.extras;
  if (allow !== undefined) c.header("Allow", allow);
  if (retryAfter !== undefined) c.header("Retry-After", String(Math.max(1, Math.ceil(retryAfter))));
  if (status === 401) c.header("WWW-Authenticate", challengeOf(error));
  const body = problemDocument(error, c.get("context").requestId);
  return c.json(body, status, { "Content-Type": "application/problem+json" });
}

/** A failure as RFC 9457 writes it. */
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

/** Only of the token itself is said that it is invalid: on that word a client gets a new one, or signs the person out. */
function challengeOf({ code }: AppError): string {
  const isToken = code === "session_revoked" || code === "token_expired";
  return `Bearer realm="poa"${isToken ? ', error="invalid_token"' : ""}`;
}

/** The only place where a failure becomes an answer. */
export async function answerError(error: Error, c: HonoContext<AppEnv>): Promise<Response> {
  const known = toAppError(error) ?? (await accountGone(error, c));
  return problem(c, known ?? unexpected(error, c.get("context").requestId));
}

/** A write that refers to nobody: perhaps the account was deleted while its request was on its way. */
async function accountGone(error: Error, c: HonoContext<AppEnv>): Promise<AppError | null> {
  const credential = bearerOf(c.req.header("authorization"));
  if (!credential || !brokeConstraint(error, "FOREIGN KEY")) return null;
  try {
    await c.get("authenticate")(c.get("context"), credential);
    return null;
  } catch (refusal) {
    return refusal instanceof AppError ? refusal : null;
  }
}

/** A failure nobody foresaw: the log gets the cause, the client only where to look for it. */
export function unexpected(error: unknown, requestId: string): AppError {
  log("error", "request_failed", { requestId, ...errorFields(error) });
  return new AppError("internal", "The failure has been logged under this requestId.");
}

function toAppError(error: Error): AppError | null {
  if (error instanceof AppError) return error;
  if (brokeConstraint(error, "idempotency_keys.has_written")) {
    return new AppError("idempotency_in_flight", "A later request has taken this key over. Nothing was written.", {
      retryAfter: 1,
    });
  }
  if (!(error instanceof HTTPException)) return null;
  // Raised by @hono/zod-openapi before our handlers run: a body that is not JSON, or not of a declared type.
  if (error.status === 400) return new AppError("invalid_json", "The body could not be read as JSON.");
  if (error.status === 415) {
    return new AppError("unsupported_media_type", "Send the body as one of the media types the API description lists.");
  }
  return null;
}

interface Issue {
  path: PropertyKey[];
  message: string;
  code?: string;
  /** Of a value that fits none of several forms: what is wrong with it as each of them. */
  errors?: Issue[][];
}

interface ValidationResult {
  success: boolean;
  error?: { issues: readonly Issue[] };
}

/** zod-openapi calls this after each validation; a failure lists every offending path. */
export function rejectInvalidInput(result: ValidationResult): void {
  if (result.success || !result.error) return;
  throw validationFailed(result.error.issues.flatMap((issue) => fieldErrors(issue, [])));
}

/** Of several forms, the one the value comes closest to says what is wrong; otherwise all of them do, in one line. */
function fieldErrors(issue: Issue, parents: PropertyKey[]): FieldError[] {
  const path = [...parents, ...issue.path];
  const forms = issue.errors ?? [];
  if (forms.length === 0) return [{ path: path.map(String).join("."), message: issue.message }];
  const close = forms.filter((form) => !form.some(isOtherKind));
  const [closest] = close;
  if (closest && close.length === 1) return closest.flatMap((inner) => fieldErrors(inner, path));
  const messages = forms.flat().flatMap((inner) => fieldErrors(inner, path).map(({ message }) => message));
  const isMissing = messages.every((message) => message.endsWith("received undefined") || message === REQUIRED);
  const message = isMissing ? REQUIRED : [...new Set(messages)].join(", or ");
  return [{ path: path.map(String).join("."), message }];
}

const REQUIRED = "is required";

/** Whether the value is not of this form at all: text where there should be a list. */
function isOtherKind({ path, code, errors = [] }: Issue): boolean {
  if (path.length > 0) return false;
  return code === "invalid_type" || (errors.length > 0 && errors.every((form) => form.some(isOtherKind)));
}

export function validationFailed(errors: FieldError[]): AppError {
  const detail = errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
  return new AppError("validation_failed", detail.slice(0, 1000), { errors });
}
