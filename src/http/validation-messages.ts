import { z } from "@hono/zod-openapi";
import type { FieldError } from "../lib/errors.ts";

/*
 * What a client reads about input that breaks a schema. Each message completes "<field> …", so that a list of them
 * reads as a sentence. A message that stands on the schema itself wins over these.
 */

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

const REQUIRED = "is required";

const TYPES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
  date: "a date",
};

const FORMATS: Record<string, string> = {
  datetime: "a time with an offset, such as 2026-11-20T17:00:00+01:00",
  date: "a date, such as 2026-11-20",
  time: "a time of day, such as 17:00",
  email: "an email address, such as ada@example.com",
  url: "a web address, such as https://example.com/page",
  uuid: "a UUID",
};

function plainMessage(issue: RawIssue): string {
  if (issue.input === undefined && issue.code !== "custom") return REQUIRED;
  switch (issue.code) {
    case "invalid_type": {
      const isWhole = issue.expected === "number" && issue.inst instanceof z.ZodNumberFormat;
      return `must be ${TYPES[isWhole ? "int" : issue.expected] ?? `of the type ${issue.expected}`}`;
    }
    case "invalid_value":
      return `must be ${alternatives(issue.values.map(String))}`;
    case "invalid_format":
      if ((issue.format === "date" || issue.format === "datetime") && namesNoDay(issue.input)) return NO_SUCH_DAY;
      return FORMATS[issue.format] ? `must be ${FORMATS[issue.format]}` : "has the wrong format";
    case "too_small":
      return sizeRule(issue.origin, Number(issue.minimum), issue.exact ? "exactly" : "at least", issue.inclusive);
    case "too_big":
      return sizeRule(issue.origin, Number(issue.maximum), issue.exact ? "exactly" : "at most", issue.inclusive);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return "is not known here";
    case "invalid_union":
      return Array.isArray(issue.options) ? `must be ${alternatives(issue.options.map(String))}` : "is not valid";
    default:
      return "is not valid";
  }
}

/** Completes "<field> …", as all messages do. */
export const NO_SUCH_DAY = "has a date that does not exist";

/** Whether a text begins with a date that no calendar has, such as 2026-02-30. */
export function namesNoDay(text: unknown): boolean {
  const [date] = (typeof text === "string" && /^\d{4}-\d\d-\d\d(?=$|[T ])/.exec(text)) || [];
  return date !== undefined && new Date(`${date}T00:00:00Z`).toJSON()?.slice(0, 10) !== date;
}

const UNITS: Record<string, readonly [one: string, many: string]> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
};

function sizeRule(origin: string, limit: number, bound: "exactly" | "at least" | "at most", inclusive = true): string {
  const unit = UNITS[origin];
  if (unit && limit === 1 && bound === "at least") return "must not be empty";
  if (unit) return `must have ${bound} ${limit} ${unit[limit === 1 ? 0 : 1]}`;
  if (inclusive) return `must be ${bound} ${limit}`;
  return `must be ${bound === "at least" ? "greater" : "less"} than ${limit}`;
}

function alternatives(values: readonly string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`;
}

z.config({ customError: plainMessage });

type Issue = z.core.$ZodIssue;

/** Every offending place of the input, each with one message. */
export function fieldErrors(issues: readonly Issue[], input: unknown, isQuery: boolean): FieldError[] {
  if (!isQuery) return issues.flatMap((issue) => errorsOf(issue, []));
  return distinct(
    issues.flatMap((issue) =>
      errorsOf(issue, []).map(({ path, message }) => {
        // `status=todo,x` is one parameter, although the schema reads a list from it.
        const isKnown = issue.code !== "unrecognized_keys";
        const name = isKnown ? (path.split(".")[0] ?? "") : path;
        return { path: name, message: isKnown && isRepeated(input, name) ? "may be given once" : message };
      }),
    ),
  );
}

function distinct(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.path} ${error.message}`, error])).values()];
}

function isRepeated(query: unknown, name: string): boolean {
  return typeof query === "object" && query !== null && Array.isArray(Reflect.get(query, name));
}

/**
 * A value that fits none of several forms is explained by the form it comes closest to, or by all of them in one
 * message when none is closer.
 */
function errorsOf(issue: Issue, parents: readonly PropertyKey[]): FieldError[] {
  const path = [...parents, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: dotted([...path, key]), message: issue.message }));
  }
  const forms = issue.code === "invalid_union" ? issue.errors : [];
  if (forms.length === 0 || issue.message === REQUIRED) return [{ path: dotted(path), message: issue.message }];
  const close = forms.filter((form) => !form.some(isOtherType));
  const [closest] = close;
  if (closest && close.length === 1) return closest.flatMap((inner) => errorsOf(inner, path));
  const messages = forms.flat().flatMap((inner) => errorsOf(inner, path).map(({ message }) => message));
  return [{ path: dotted(path), message: joined([...new Set(messages)]) }];
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

/** Whether the value is not of this form at all: text where there should be a list. */
function isOtherType(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === "invalid_union") return issue.errors.every((form) => form.some(isOtherType));
  return issue.code === "invalid_type";
}

/** "must be a time …, or a date …" rather than "must be a time …, or must be a date …". */
function joined(messages: readonly string[]): string {
  const shared = "must be ";
  if (!messages.every((message) => message.startsWith(shared))) return messages.join(", or ");
  return shared + messages.map((message) => message.slice(shared.length)).join(", or ");
}
