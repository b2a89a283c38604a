import { OpenAPIHono, z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import { createApp } from "../src/app.ts";
import type { AppEnv } from "../src/http/app-env.ts";
import { anyone } from "../src/http/guards.ts";
import { createRouter } from "../src/http/router.ts";
import { ERRORS } from "../src/lib/errors.ts";
import { declarationsOf } from "./declared.ts";
import { service, sharedApp } from "./harness.ts";

/*
 * What the OpenAPI document says of every route of the real service. Nothing is listed by hand: a new route is held to
 * all of this from its first commit. http/walk.test.ts calls every route.
 */

type Declared = ReturnType<typeof declarationsOf>[number];

interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: { type?: string; example?: unknown } }[];
  requestBody?: { required?: boolean; content?: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, Content> }>;
}

interface Content {
  schema: object;
  examples?: Record<string, { $ref: string }>;
}

const app = sharedApp;
const declarations = declarationsOf(app);
const routes = declarations.map((declared) => [nameOf(declared), declared] as const);

const { body: document, text } = await service().get("/api-docs");
const { body: closedDocument } = await service({ ACCESS_MODE: "private" }).get("/api-docs");

function nameOf({ method, path }: Pick<Declared, "method" | "path">): string {
  return `${method.toUpperCase()} ${path}`;
}

function operationOf(from: typeof document, { method, path }: Declared): Operation {
  const operation = from.paths[path]?.[method];
  expect(operation, `${method} ${path} is served but not described`).toBeDefined();
  return operation;
}

describe("the document", () => {
  it("is OpenAPI 3.0.3 and describes exactly the routes that are served", () => {
    expect(document.openapi).toBe("3.0.3");
    const described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => nameOf({ method, path })),
    );
    expect(described.sort()).toEqual(routes.map(([name]) => name).sort());
    expect(described).toContain("GET /api/health");
  });

  it("gives every operation an id of its own", () => {
    const ids = declarations.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/);
  });

  it("is the same text at every call, and from a service made anew", async () => {
    const client = service();
    expect((await client.get("/api-docs")).text).toBe(text);
    expect((await client.get("/api-docs")).text).toBe(text);
    expect((await service({}, await createApp()).get("/api-docs")).text).toBe(text);
  });

  // zod-openapi keeps the first schema of a name, and drops a second one in silence.
  it("gives every schema a name of its own", () => {
    const schemasOf = (from: OpenAPIHono<AppEnv>) =>
      from.getOpenAPIDocument({ openapi: "3.0.3", info: { title: "", version: "" } }).components?.schemas ?? {};
    const all = schemasOf(app);
    for (const definition of app.openAPIRegistry.definitions) {
      if (definition.type !== "route") continue;
      const alone = new OpenAPIHono<AppEnv>();
      alone.openAPIRegistry.registerPath(definition.route);
      for (const [name, schema] of Object.entries(schemasOf(alone))) {
        expect(all[name], `${name} of ${definition.route.path}`).toEqual(schema);
      }
    }
  });

  it("describes every property of every schema", () => {
    const { schemas } = document.components;
    const named = Object.entries<Schema>(schemas).flatMap(([name, schema]) => undescribed(schema, name));
    const inline = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => undescribed(operation, `${method} ${path}`)),
    );
    expect([...named, ...inline]).toEqual([]);
  });

  it("has a getting started and every error code in its introduction", () => {
    expect(document.info.description).toContain("## Getting started");
    for (const [code, [status, title]] of Object.entries(ERRORS)) {
      expect(document.info.description).toContain(`| ${status} | \`${code}\` | ${title} |`);
    }
  });

  it("has an example for each error code, of its own status and with `errors` for invalid fields only", () => {
    for (const [code, { value }] of Object.entries<{ value: { status: number; errors?: unknown } }>(
      document.components.examples,
    )) {
      expect(value).toMatchObject({ code, status: ERRORS[code as keyof typeof ERRORS][0] });
      expect(value.errors !== undefined, code).toBe(code === "validation_failed");
    }
  });

  it("has no named schema that is null wherever it is used", () => {
    for (const [name, schema] of Object.entries<{ nullable?: boolean }>(document.components.schemas)) {
      expect(schema.nullable, name).not.toBe(true);
    }
  });
});

/** Checks every route, and names the one that fails. */
function ofEvery(check: (declared: Declared, operation: Operation) => void): () => void {
  return () => {
    for (const [name, declared] of routes) {
      try {
        check(declared, operationOf(document, declared));
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
      }
    }
  };
}

describe("every route", () => {
  it(
    "has a summary, and tags that are all declared",
    ofEvery((_, operation) => {
      expect(operation.summary).toMatch(/\S/);
      expect(operation.tags).not.toHaveLength(0);
      const known = document.tags.map(({ name }: { name: string }) => name);
      for (const tag of operation.tags ?? ["none"]) expect(known).toContain(tag);
    }),
  );

  it(
    "describes every parameter of its path",
    ofEvery((declared, operation) => {
      const inPath = [...declared.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const described = operation.parameters?.filter((parameter) => parameter.in === "path") ?? [];
      expect(described.map(({ name }) => name).sort()).toEqual(inPath.sort());
      for (const { required, schema } of described)
        expect({ required, schema }).toMatchObject({ required: true, schema: {} });
    }),
  );

  it(
    "shows an example of every JSON response, and describes every response",
    ofEvery((_, operation) => {
      for (const [status, { description, content = {} }] of Object.entries(operation.responses)) {
        expect(description, status).toMatch(/\S/);
        for (const [type, media] of Object.entries(content)) {
          if (type.endsWith("json")) expect(hasExample(media), `the ${type} of ${status}`).toBe(true);
        }
      }
    }),
  );

  // Swagger UI sends them all: a filter or a key that a person has not chosen would make the call fail.
  it(
    "has no example on an optional parameter",
    ofEvery((_, operation) => {
      const optional = (operation.parameters ?? []).filter(({ required }) => !required);
      expect(optional.filter((parameter) => hasExample(parameter)).map(({ name }) => name)).toEqual([]);
    }),
  );

  it(
    "has an example of its body that it accepts",
    ofEvery((declared, operation) => {
      const body = operation.requestBody?.content?.["application/json"];
      if (!body) return;
      expect(body.example, "the schema of the body needs an object-level example").toBeDefined();
      const result = declared.request.body?.content["application/json"]?.schema.safeParse(body.example);
      expect(result?.error?.issues ?? []).toEqual([]);
    }),
  );

  it(
    "declares each of its error codes under its status",
    ofEvery((declared, operation) => {
      expect(declared["x-error-codes"]).toContain("internal");
      for (const code of declared["x-error-codes"]) {
        const response = operation.responses[ERRORS[code][0]];
        expect(response?.description, code).toContain(`\`${code}\``);
        expect(response?.content?.["application/problem+json"]?.examples, code).toHaveProperty(code);
        expect(document.components.examples).toHaveProperty(code);
      }
    }),
  );

  it(
    "tells the credentials its guard takes, in both access modes",
    ofEvery((declared, operation) => {
      const session = { session: [] };
      const apiKey = { apiKey: [] };
      const expected = {
        public: { open: [], private: [] },
        data: { open: [{}, session, apiKey], private: [session, apiKey] },
        user: { open: [session], private: [session] },
        owner: { open: [session, apiKey], private: [session, apiKey] },
      }[declared["x-guard"]];
      expect(operation.security).toEqual(expected.open);
      expect(operationOf(closedDocument, declared).security).toEqual(expected.private);
    }),
  );

  it(
    "is what the router finds at its path",
    ofEvery((declared) => {
      expect(hiddenRoutes(app, [declared])).toEqual([]);
    }),
  );
});

/** A schema with an example in itself or in what it is made of. */
function hasExample(schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  if ("example" in schema || "examples" in schema) return true;
  if ("$ref" in schema && typeof schema.$ref === "string") {
    return hasExample(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""], seen);
  }
  return Object.values(schema).some((part) => hasExample(part, seen));
}

/** The routes that an earlier one of the same method answers for. */
function hiddenRoutes(from: OpenAPIHono<AppEnv>, list: readonly Declared[]): string[] {
  return list.flatMap((declared) => {
    const [found] = from.router.match(declared.method.toUpperCase(), declared.path.replaceAll(/[{}]/g, "-"));
    const first = found.map(([[, entry]]) => entry).find(({ method }) => method !== "ALL");
    const wanted = declared.path.replaceAll(/\{(\w+)\}/g, ":$1");
    return first?.path === wanted ? [] : [`${nameOf(declared)} is answered by ${first?.path}`];
  });
}

it("a static path registered after a parameter path would be found hidden", () => {
  const router = createRouter();
  for (const path of ["/{id}", "/stats"]) {
    const params = z.object(path === "/stats" ? {} : { id: z.string() });
    const returns = { 204: null };
    const operationId = path;
    router.endpoint("get", path, {
      operationId,
      summary: path,
      guard: anyone,
      params,
      returns,
      handle: ({ c }) => c.body(null, 204),
    });
  }
  const misordered = createRouter();
  misordered.route("/api", router);
  expect(hiddenRoutes(misordered, declarationsOf(misordered))).toEqual(["GET /api/stats is answered by /api/:id"]);
});

interface Schema {
  $ref?: string;
  description?: string;
  nullable?: boolean;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
  anyOf?: Schema[];
}

function resolved(schema: Schema): Schema {
  return schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
}

/** The paths of the properties in the schemas of a part of the document that have no description. */
function undescribed(part: unknown, path: string): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === "example" || name === "examples") return [];
    if (name !== "properties") return undescribed(value, path);
    return Object.entries<Schema>(value).flatMap(([property, schema]) => [
      ...(isDescribed(schema) ? [] : [`${path}.${property}`]),
      ...undescribed(schema, `${path}.${property}`),
    ]);
  });
}

function isDescribed(schema: Schema): boolean {
  const { description, allOf = [], anyOf = [] } = schema;
  const parts = [...allOf, ...anyOf, ...(schema.$ref ? [resolved(schema)] : [])];
  return description !== undefined || parts.some(isDescribed);
}
