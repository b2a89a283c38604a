import { plain } from "../lib/plain.ts";

/** One invalid field, as the API names it: `email`, `attendees.0.email`. */
interface FieldProblem {
  path: string;
  message: string;
}

interface ProblemDocument {
  code?: string;
  title?: string;
  detail?: string;
  errors?: FieldProblem[];
}

/** A request that the API refused, with what its problem document says. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  /** Seconds to wait before another try, if the API says so. */
  readonly retryAfter: number | null;
  /** The whole document: some problems name more, such as the events that are in the way. */
  readonly document: Readonly<Record<string, unknown>>;

  constructor(status: number, document: ProblemDocument & Record<string, unknown>, retryAfter: number | null) {
    super(plain(document.detail ?? document.title ?? `HTTP ${status}`));
    this.name = "ApiProblem";
    this.status = status;
    this.code = document.code ?? "unknown";
    this.fields = (document.errors ?? []).map(({ path, message }) => ({ path, message: plain(message) }));
    this.retryAfter = retryAfter;
    this.document = document;
  }

  /** What is wrong with one field, for the text below it. */
  fieldMessage(path: string): string | undefined {
    return this.fields.find((field) => field.path === path)?.message;
  }
}

/** A request that never reached the service, or whose response was lost on the way. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The service could not be reached.", { cause });
    this.name = "Unreachable";
  }
}

export async function problemOf(response: Response): Promise<ApiProblem> {
  const seconds = Number(response.headers.get("retry-after"));
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const document = isJson ? await response.json().catch(() => ({})) : {};
  return new ApiProblem(response.status, document, Number.isFinite(seconds) && seconds > 0 ? seconds : null);
}

export function isProblem(error: unknown, ...codes: string[]): error is ApiProblem {
  return error instanceof ApiProblem && (codes.length === 0 || codes.includes(error.code));
}

/** What is wrong with one field, where it can be told without the API. */
export function fieldProblem(path: string, message: string): ApiProblem {
  return new ApiProblem(422, { code: "validation_failed", detail: message, errors: [{ path, message }] }, null);
}

/** What the API says of each field, also under the names of the objects around it: `days.monday.0.end`, `days.monday`. */
export function problemsOf(error: unknown): Map<string, string> {
  const problems = new Map<string, string>();
  if (!(error instanceof ApiProblem)) return problems;
  for (const { path, message } of error.fields) {
    const parts = path.split(".");
    for (let length = parts.length; length > 0; length--) {
      const name = parts.slice(0, length).join(".");
      if (!problems.has(name)) problems.set(name, message);
    }
  }
  return problems;
}
