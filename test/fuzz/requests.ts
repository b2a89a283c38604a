import fc, { type Arbitrary } from "fast-check";
import type { CallOptions } from "../harness.ts";
import { fromSchema, type Options, type Schema, type Schemas } from "./from-schema.ts";

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

export interface FuzzedCall {
  method: string;
  path: string;
  options: CallOptions;
  /** Whether it is sent with the person's token. */
  signedIn: boolean;
}

/** Ids that a small data set has, now and then one that none has. */
const id = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }) },
  fc.constantFrom(0, -1, 2 ** 31, 2 ** 53),
);

/** Calls of one operation, made from what the document says of it: half of them as it says, half with mistakes. */
export function callsOf(method: string, path: string, operation: Operation, schemas: Schemas): Arbitrary<FuzzedCall> {
  // Only what is chosen is made: to make what describes the values takes longer than to make the values.
  return fc.boolean().chain((isStrict) => oneKindOf(method, path, operation, { schemas, isStrict }));
}

function oneKindOf(method: string, path: string, operation: Operation, options: Options): Arbitrary<FuzzedCall> {
  const inPath = valuesOf(operation, "path", options, true);
  const inQuery = valuesOf(operation, "query", options, false);
  // Without: an example of a key or a version would be right once, and then never again.
  const inHeader = options.isStrict ? fc.constant({}) : valuesOf(operation, "header", options, false);
  return fc
    .record({
      inPath,
      inQuery,
      inHeader,
      body: bodyOf(operation, options),
      signedIn: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
    })
    .map(({ inPath: places, inQuery: query, inHeader: headers, body, signedIn }) => ({
      method: method.toUpperCase(),
      path: `${fill(path, places)}${queryOf(query)}`,
      options: { ...body, headers: { ...headersOf(headers), ...body.headers } },
      signedIn,
    }));
}

function valuesOf(
  { parameters = [] }: Operation,
  place: string,
  options: Options,
  isComplete: boolean,
): Arbitrary<Record<string, unknown>> {
  // No cursor is right but one that a list gave.
  const here = parameters.filter(({ in: where, name }) => where === place && !(options.isStrict && name === "cursor"));
  const values = Object.fromEntries(
    here.map(({ name, schema }) => [
      name,
      place === "path" && schema.type === "integer" ? id : fromSchema(schema, options),
    ]),
  );
  const required = here.filter((parameter) => isComplete || parameter.required).map(({ name }) => name);
  return fc.record(values, { requiredKeys: required });
}

function bodyOf({ requestBody }: Operation, options: Options): Arbitrary<CallOptions> {
  if (!requestBody) return fc.constant({});
  const [type, media] = Object.entries(requestBody.content)[0] ?? ["application/json", { schema: {} }];
  const broken = fc.constantFrom<CallOptions>(
    {},
    { raw: "{", headers: { "content-type": "application/json" } },
    { raw: "[]", headers: { "content-type": "application/json" } },
    { raw: "null", headers: { "content-type": "application/json" } },
    { raw: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
    { raw: '{"a":'.repeat(2000), headers: { "content-type": "application/json" } },
  );
  const usual: Arbitrary<CallOptions> =
    type === "application/json"
      ? fromSchema(media.schema, options).map((body) => ({ body: body ?? null }))
      : fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ raw: bytes, headers: { "content-type": type } }));
  return options.isStrict ? usual : fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: broken });
}

function fill(path: string, values: Record<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const text = encode(values[name]);
    // An empty or dotted segment would be another path.
    return text === "" || /^(\.|%2e)+$/i.test(text) ? "x" : text;
  });
}

function queryOf(values: Record<string, unknown>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

function headersOf(values: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => [name, textOf(value).replaceAll(/[^\x20-\x7e]/g, "?")]);
  return Object.fromEntries(entries);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Half of a surrogate pair has no percent-encoding. */
function encode(value: unknown): string {
  return encodeURIComponent(textOf(value).replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}
