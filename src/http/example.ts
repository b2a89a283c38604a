import { OpenAPIHono, type z } from "@hono/zod-openapi";
import { assertType } from "../lib/cast.ts";

interface DescribedSchema {
  type?: string | string[];
  $ref?: string;
  example?: unknown;
  enum?: unknown[];
  properties?: Record<string, DescribedSchema>;
  items?: DescribedSchema;
  anyOf?: DescribedSchema[];
  allOf?: DescribedSchema[];
}

/** For a field without an example. A list of types includes `null`, which is then the value. */
const FALLBACKS: Record<string, unknown> = { string: "text", integer: 1, number: 1, boolean: false };

/** A record of this schema, made from the examples of its fields in the API reference. */
export function exampleOf(schema: z.ZodType): Record<string, unknown> {
  const app = new OpenAPIHono();
  app.openAPIRegistry.register("Example", schema);
  const info = { title: "", version: "" };
  const schemas = assertType<Record<string, DescribedSchema>>(
    app.getOpenAPI31Document({ openapi: "3.1.0", info }).components?.schemas ?? {},
  );
  const read = (part: DescribedSchema | undefined): unknown => {
    if (part?.$ref) return read(schemas[part.$ref.slice(part.$ref.lastIndexOf("/") + 1)]);
    if (part?.example !== undefined) return part.example;
    if (part?.properties) {
      return Object.fromEntries(Object.entries(part.properties).map(([name, field]) => [name, read(field)]));
    }
    if (part?.items) return [read(part.items)];
    const [first] = part?.anyOf ?? part?.allOf ?? [];
    return first ? read(first) : (part?.enum?.[0] ?? FALLBACKS[String(part?.type)] ?? null);
  };
  return assertType<Record<string, unknown>>(read(schemas.Example));
}
