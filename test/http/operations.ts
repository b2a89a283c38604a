import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { PASSWORD } from "../auth/people.ts";
import { declarationsOf } from "../declared.ts";
import type { Schema } from "../fuzz/from-schema.ts";
import { type Answer, service, sharedApp } from "../harness.ts";

/* Every operation of the real service: as its route declares it, and as the OpenAPI document describes it. */

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

export interface Described {
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
}

export const { body: document } = await service().get("/api-docs");

export const operations = declarationsOf(sharedApp).map((declared) => {
  const { operationId: id, method, path } = declared;
  const described: Described = document.paths[path][method];
  const json = described.requestBody?.content["application/json"];
  return { id, method: method.toUpperCase(), path, guard: declared["x-guard"], declared, described, json };
});
export type Operation = (typeof operations)[number];

/** For `it.each`. */
export const named = (list: readonly Operation[]) =>
  list.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

/** An address that the operation takes, of a record that does not exist. */
export function addressOf({ path, described: { parameters = [] } }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema;
    return schema?.type === "integer" ? "999999999" : String(schema?.example ?? "x");
  });
}

export const parametersIn = ({ described: { parameters = [] } }: Operation, place: string) =>
  parameters.filter((parameter) => parameter.in === place);

/** The password that some operations ask for before they look at the rest. */
export const proofFor = ({ described: { description } }: Operation) =>
  description?.includes("Requires `currentPassword`") ? { currentPassword: PASSWORD } : {};

/** The example of the body, as it is accepted. Data endpoints ask only sessions for the password, and refuse it of others. */
export const exampleOf = (operation: Operation): Record<string, unknown> => ({
  ...(operation.json?.example as object | undefined),
  ...(operation.guard !== "data" && proofFor(operation)),
});

export function resolved(schema: Schema): Schema {
  return schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
}

/** Every name that stands anywhere in what the document says of the body. */
export function membersOf({ described }: Operation): string[] {
  const names = new Set<string>();
  const collect = (given: Schema): void => {
    const { oneOf = [], anyOf = [], allOf = [], properties = {} } = resolved(given);
    for (const part of [...oneOf, ...anyOf, ...allOf]) collect(part);
    for (const name of Object.keys(properties)) names.add(name);
  };
  for (const { schema } of Object.values(described.requestBody?.content ?? {})) collect(schema);
  return [...names];
}

export function isNullable(schema: Schema): boolean {
  const { nullable, allOf = [], anyOf = [] } = resolved(schema);
  return nullable === true || [...allOf, ...anyOf].some(isNullable);
}

const INTERNAL =
  /SQLITE|D1_ERROR|constraint failed|no such (?:table|column)|\bzod|drizzle|\b(?:Type|Range|Syntax)Error\b|\bat \S+:\d+:\d+/i;
const OWN_SECRETS = [env.JWT_SECRET, env.PASSWORD_PEPPER, env.ENCRYPTION_KEY, env.VAPID_PRIVATE_KEY].map(String);

/** No response has a secret of the service, and no refusal a word of its libraries, its database or its code. */
export function expectNothingInternal({ status, headers, text: body }: Answer): void {
  const text = `${JSON.stringify([...headers])} ${body}`;
  if (status >= 400 && INTERNAL.test(text)) expect.fail(`internal words: ${text.slice(0, 300)}`);
  if (OWN_SECRETS.some((secret) => text.includes(secret))) expect.fail("a secret of the service is in its answer");
}
