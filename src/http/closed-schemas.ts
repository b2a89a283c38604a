import { assertType } from "../lib/cast.ts";

/** A schema of the OpenAPI document, or a part of the document that contains some. */
interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

type Schemas = Record<string, Schema>;

/**
 * Says `additionalProperties: false` where it is true: in request bodies that take no other members. Schemas that
 * `open` parts of the document use, too, stay as they are. Responses are open, because they may get more members, and
 * so are bodies in which a record may be sent back.
 */
export function closeSchemas(bodies: readonly unknown[], open: readonly unknown[], schemas: Schemas): void {
  const kept = new Set<Schema>();
  for (const part of open) keep(part, schemas, kept);
  // A part of `allOf` sees the members of the other parts.
  for (const part of [...bodies, ...Object.values(schemas)]) keepParts(part, schemas, kept);
  for (const body of bodies) close(assertType<Schema>(body), schemas, kept);
}

function named(schema: Schema, schemas: Schemas): Schema | undefined {
  return schema.$ref ? schemas[schema.$ref.split("/").at(-1) ?? ""] : undefined;
}

/** Collects the named schemas that a part of the document leads to. */
function keep(part: unknown, schemas: Schemas, kept: Set<Schema>): void {
  if (typeof part !== "object" || part === null) return;
  const target = named(part, schemas);
  if (target && !kept.has(target)) {
    kept.add(target);
    keep(target, schemas, kept);
  }
  for (const [name, value] of Object.entries(part)) {
    if (name !== "example" && name !== "examples") keep(value, schemas, kept);
  }
}

function keepParts(part: unknown, schemas: Schemas, kept: Set<Schema>): void {
  if (typeof part !== "object" || part === null) return;
  keep(assertType<Schema>(part).allOf, schemas, kept);
  for (const value of Object.values(part)) keepParts(value, schemas, kept);
}

function close(schema: Schema, schemas: Schemas, kept: Set<Schema>): void {
  const target = named(schema, schemas);
  if (target && !kept.has(target)) {
    kept.add(target);
    close(target, schemas, kept);
  }
  if (target || schema.allOf) return;
  if (schema.properties) schema.additionalProperties ??= false;
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  for (const part of [...parts, ...(schema.items ? [schema.items] : [])]) close(part, schemas, kept);
}
