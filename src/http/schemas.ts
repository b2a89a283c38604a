import { z } from "@hono/zod-openapi";
import { assertType } from "../lib/cast.ts";
import { kept } from "../lib/kept.ts";
import { MAX_TAG_CHARACTERS, MAX_TAGS, normaliseTag, uniqueTags } from "../lib/tags.ts";
import { countCharacters } from "../lib/text.ts";
import type { TimeOrDate } from "../lib/time-zone.ts";
import { timeZoneName } from "../lib/zone-names.ts";
import { NO_SUCH_DAY, namesNoDay } from "./validation-messages.ts";

/** A time on output: RFC 3339 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ example: "2026-11-16T09:30:00.000Z" });

/** A time on input, with any offset. Has no `type` of its own, which would hide a `nullable()` from the generator. */
export const TimestampInput = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .meta({ example: "2026-11-16T10:30:00+01:00" });

/**
 * A moment with an offset, or a date, on input. A service turns a date into the start or the end of that day in the
 * person's time zone, with `lowerBound` and `upperBound`.
 */
export const TimeOrDateInput = z.string().transform((text, ctx): TimeOrDate => {
  if (z.iso.date().safeParse(text).success) return text;
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text);
  const form = "must be a time with an offset, such as 2026-11-20T17:00:00+01:00, or a date such as 2026-11-20";
  ctx.addIssue({ code: "custom", message: namesNoDay(text) ? NO_SUCH_DAY : form });
  return z.NEVER;
});

/** A record's id in a path. */
export const IdParam = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, "must be a positive integer")
  .transform(Number)
  .meta({ type: "integer", minimum: 1, description: "Id of the record.", example: 1 });

export const RecordPath = z.object({ id: IdParam });

/** The id of an event of a feed, in a query. */
export const EventIdParam = z
  .string()
  .regex(/^\d{1,15}$/, "must be the id of an event")
  .transform(Number)
  .optional()
  .meta({ type: "integer", minimum: 0 });

export const Id = z.int().positive().meta({ description: "Id of the record.", example: 1 });

/**
 * An object whose fields are made when a request first needs them, or the API reference: making the schemas of all
 * endpoints of a feature takes longer than to respond.
 */
export function objectOf<Shape extends z.ZodRawShape>(fields: () => Shape): z.ZodObject<Shape> {
  const shape = kept(fields);
  const definition = {
    type: "object" as const,
    get shape() {
      return shape();
    },
  };
  return assertType<z.ZodObject<Shape>>(new z.ZodObject(definition));
}

/** An object of the API reference, under a name of its own. */
export function named<Shape extends z.ZodRawShape>(
  name: string,
  fields: () => Shape,
  about: { description?: string; example?: unknown } = {},
) {
  return objectOf(fields).openapi(name, about);
}

/** A schema with what the API reference says about it. */
export function doc<Schema extends z.ZodType>(schema: Schema, description: string, example?: unknown): Schema {
  // Not `openapi`, which gives each schema a dozen functions of its own: 6 ms of every start, with no need of them.
  return schema.meta({ description, ...(example !== undefined && { example }) });
}

/** The last fields of a record that takes `If-Match`. */
export const versionFields = {
  version: doc(z.int(), "Increases with every change; also the record's `ETag`.", 1),
  createdAt: doc(Timestamp, "When the record was created."),
  updatedAt: doc(Timestamp, "When the record was last changed."),
};

/** A boolean in a query: `?unread=true`. */
export const FlagParam = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .meta({ type: "boolean" });

export function integerParam(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
    .meta({ type: "integer", minimum: min, maximum: max, pattern: undefined });
}

/** Normalised to the spelling of the IANA database. */
export const TimeZone = z
  .string()
  .max(64)
  .transform((given, ctx) => {
    const name = timeZoneName(given);
    if (name !== null) return name;
    const message =
      "must be an IANA time zone such as Europe/Berlin, or UTC; not an abbreviation (PST) and not an offset (+02:00)";
    ctx.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .meta({
    type: "string",
    maxLength: 64,
    example: "Europe/Berlin",
    description: "IANA time zone, in upper or lower case. Abbreviations (PST) and offsets (+02:00) are refused.",
  });

/** Authenticator apps show "123 456", and people copy that with its space. */
export const TotpCode = z
  .string()
  .max(40)
  .overwrite((text) => text.normalize("NFKC").replaceAll(/[\s\p{Pd}\p{Cf}]/gu, ""))
  .regex(/^\d{6}$/, "must be 6 digits")
  .meta({
    pattern: "^\\s*(\\d[\\s-]*){6}$",
    description: "Current code of the authenticator app, with or without spaces.",
  });

/** Trimmed and lower-cased, so that a tag has one spelling. */
export const Tag = z
  .string()
  .transform(normaliseTag)
  .refine((tag) => tag.length > 0, "must not be empty")
  .refine((tag) => countCharacters(tag) <= MAX_TAG_CHARACTERS, `must have at most ${MAX_TAG_CHARACTERS} characters`)
  .meta({ type: "string", minLength: 1, maxLength: MAX_TAG_CHARACTERS, example: "invoices" });

export const Tags = z
  .array(Tag)
  .transform(uniqueTags)
  .refine((tags) => tags.length <= MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .meta({ type: "array", items: { type: "string" }, maxItems: MAX_TAGS, example: ["invoices", "2026"] });

/** One value, or several separated by commas: `?status=todo,waiting`. */
export function listParam<const Values extends readonly [string, ...string[]]>(values: Values) {
  return (
    z
      .string()
      .transform((text) => text.split(",").map((value) => value.trim()))
      .pipe(z.array(z.enum(values)).min(1))
      // D1 allows 100 bound values in a statement, and each of these becomes one.
      .transform((given) => [...new Set(given)])
      .meta({ type: "string", description: `One or more of ${values.join(", ")}, separated by commas.` })
  );
}

/** A count for each name. */
export function countsOf<const Names extends readonly string[]>(names: Names) {
  const shape = Object.fromEntries(names.map((name) => [name, doc(z.int(), `Number of \`${name}\`.`, 3)]));
  return z.object(assertType<Record<Names[number], z.ZodInt>>(shape));
}

/** A key or token of another service, which is put into a header or an address unchanged. */
export function keyText(max: number) {
  return z
    .string()
    .trim()
    .max(max)
    .regex(/^[\x21-\x7e]+$/, "must be printable characters without spaces");
}

/** The query of every list. */
export const pageParams = {
  limit: integerParam(1, 100)
    .default(50)
    .meta({ description: "Maximum number of records to return. Default: 50.", default: 50 }),
  cursor: doc(z.string().max(1000), "`nextCursor` of the previous page.").optional(),
};

/** The query of a list without filters. */
export const PageQuery = z.object(pageParams);

/** The response of every list. */
export function listOf<Item extends z.ZodType, More extends z.ZodRawShape = Record<never, never>>(
  item: Item,
  name: string,
  more?: () => More,
) {
  return named(name, () => ({
    data: doc(z.array(item), "The records of this page."),
    nextCursor: doc(
      z.string().nullable(),
      "Send as `cursor` to get the next page. Null on the last page.",
      "WzE3OTQ3MjQyNzQwMDAsMTJd.f4TzQ",
    ),
    ...assertType<More>(more?.() ?? {}),
  }));
}
