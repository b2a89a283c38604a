import fc, { type Arbitrary } from "fast-check";

/** A schema of the OpenAPI 3.0.3 document, as far as it says what a value looks like. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  nullable?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  example?: unknown;
}

export type Schemas = Record<string, Schema>;

/** What has broken services before: quotes, operators of FTS and LIKE, paths, scripts, odd Unicode. */
const NASTY = [
  "",
  " ",
  "'",
  '"',
  "' OR 1=1 --",
  "'; DROP TABLE users; --",
  '" OR "" = "',
  "NEAR(a b) AND *",
  'title:"x" OR ^',
  "%_%",
  "../../etc/passwd",
  "%2e%2e%2f",
  "<script>alert(1)</script>",
  "{{7*7}} #{7*7}",
  "\u0000",
  "\ud800",
  "\u202Eabc",
  "👩‍👩‍👧‍👦",
  "ß".repeat(300),
  "a".repeat(5000),
  "__proto__",
  "constructor",
  "-1",
  "1e309",
  "0x10",
  "9007199254740993",
  "null",
  "undefined",
  "2026-02-30T25:61:61Z",
  "0000-01-01T00:00:00Z",
  "+275760-09-13T00:00:00.001Z",
  "UTC\r\nX-Evil: 1",
];

const nastyText = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: "binary", maxLength: 60 }));

/** Anything but what was asked for. */
const wrong: Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e21, -1e21, 2 ** 53, {}, [], [[]], { a: { b: [null] } }),
  fc.integer(),
  fc.double({ noNaN: true }),
);

/** Where the schemas are that others name, and whether values may break theirs now and then, at any depth. */
export interface Options {
  schemas: Schemas;
  isStrict: boolean;
}

export function fromSchema(schema: Schema, options: Options, depth = 0): Arbitrary<unknown> {
  const fitting = fittingTo(schema, options, depth);
  const mostly = schema.nullable ? fc.oneof({ weight: 4, arbitrary: fitting }, fc.constant(null)) : fitting;
  const withExample =
    schema.example === undefined || schema.example === null
      ? mostly
      : fc.oneof(mostly, { weight: isNarrower(schema) ? 6 : 1, arbitrary: fc.constant(schema.example) });
  return options.isStrict
    ? withExample
    : fc.oneof({ weight: 9, arbitrary: withExample }, { weight: 1, arbitrary: wrong });
}

/** Whether the value must mean something that the schema cannot say, such as a time zone. */
function isNarrower({ type, format }: Schema): boolean {
  return type === undefined || (type === "string" && format !== "date-time");
}

function fittingTo(schema: Schema, options: Options, depth: number): Arbitrary<unknown> {
  if (schema.$ref) {
    const named = options.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {};
    return depth > 6 ? fc.constant({}) : fittingTo(named, options, depth + 1);
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return fc.oneof(...choices.map((choice) => fittingTo(choice, options, depth + 1)));
  if (schema.allOf) return allOf(schema.allOf, options, depth);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "string":
      return text(schema, options);
    case "integer":
      return fc.integer(bounds(schema));
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(fromSchema(schema.items ?? {}, options, depth + 1), {
        minLength: Math.min(schema.minItems ?? 0, 5),
        maxLength: Math.min(schema.maxItems ?? 4, 5),
      });
    default:
      return record(schema, options, depth);
  }
}

function bounds({ minimum = -1000, maximum }: Schema): { min: number; max: number } {
  const min = Math.max(Math.ceil(minimum), -(2 ** 31));
  return { min, max: Math.max(min, Math.min(maximum ?? min + 5000, 2 ** 31 - 1)) };
}

/** Made once: an address and a link take long to describe. */
const FORMATS: Record<string, Arbitrary<string>> = {
  "date-time": fc
    .date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  date: fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  email: fc.emailAddress(),
  uri: fc.webUrl({ withQueryParameters: true }),
  uuid: fc.uuid(),
};

function text({ format, pattern, minLength = 0, maxLength = 200 }: Schema, { isStrict }: Options): Arbitrary<string> {
  const plain = fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(maxLength, 80)) });
  const usual = (format && FORMATS[format]) || (pattern ? fc.stringMatching(new RegExp(pattern)) : plain);
  return isStrict ? usual : fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: nastyText });
}

function record(schema: Schema, options: Options, depth: number): Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, fromSchema(member, options, depth + 1)]),
  );
  const requiredKeys = required.filter((name) => name in members);
  const known = options.isStrict ? withFewOptional(members, requiredKeys) : fc.record(members, { requiredKeys });
  // Unknown members are refused, so a value that is to be right has none.
  if (options.isStrict && typeof additionalProperties !== "object") return known;
  const further = typeof additionalProperties === "object" ? additionalProperties : {};
  const extra = fc.dictionary(fc.string({ maxLength: 10 }), depth > 4 ? fc.boolean() : leaf(further, options), {
    maxKeys: 2,
  });
  return fc.tuple(known, fc.option(extra, { freq: 6, nil: {} })).map(([a, b]) => ({ ...b, ...a }));
}

/** Optional members often exclude one another, so a value that is to be right has few of them. */
function withFewOptional(
  members: Record<string, Arbitrary<unknown>>,
  required: readonly string[],
): Arbitrary<Record<string, unknown>> {
  const optional = Object.keys(members).filter((name) => !required.includes(name));
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries([...required, ...chosen].map((name) => [name, members[name] ?? fc.constant(null)]))),
    );
}

function leaf(schema: Schema, options: Options): Arbitrary<unknown> {
  return schema.type === "string" ? text(schema, options) : fc.jsonValue({ maxDepth: 1 });
}

function allOf(parts: readonly Schema[], options: Options, depth: number): Arbitrary<unknown> {
  return fc
    .tuple(...parts.map((part) => fittingTo(part, options, depth + 1)))
    .map((values) => Object.assign({}, ...values.filter((value) => typeof value === "object")));
}
