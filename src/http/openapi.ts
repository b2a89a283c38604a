import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Config } from "../config.ts";
import { assertType } from "../lib/cast.ts";
import { ERRORS } from "../lib/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { closeSchemas } from "./closed-schemas.ts";
import type { Guard } from "./guards.ts";
import { problemExamples } from "./problem-examples.ts";
import type { Declared, RouteExtensions, Tag } from "./route.ts";
import { sentBackIn } from "./strict-input.ts";

type Document = ReturnType<OpenAPIHono["getOpenAPIDocument"]>;
type Security = Record<string, string[]>[];

const SESSION: Security[number] = { session: [] };
const API_KEY: Security[number] = { apiKey: [] };

/** Generates the OpenAPI 3.0.3 document. Expensive: keep the result. */
export function describe(app: OpenAPIHono<AppEnv>, tags: readonly Tag[], config: Config, version: string): Document {
  const document = app.getOpenAPIDocument({
    openapi: "3.0.3",
    info: {
      title: "Personal Operations Assistant Service",
      version,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      description: introduction(config.ACCESS_MODE),
    },
    servers: [{ url: config.PUBLIC_URL ?? "/", description: "This service" }],
    tags: [...tags],
  });
  document.components = {
    ...document.components,
    examples: problemExamples(operationsOf(document).flatMap((operation) => operation["x-error-codes"])),
    securitySchemes: {
      session: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "The `token` from registering or signing in. Valid for 15 minutes while its session exists.",
      },
      apiKey: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "poa_…",
        description: "An API key, sent as a bearer token. Limited to its scopes.",
      },
    },
  };
  for (const operation of operationsOf(document)) {
    operation.security = securityOf(operation["x-guard"], config.ACCESS_MODE);
    if (operation["x-body-required"] && operation.requestBody) operation.requestBody.required = true;
    for (const parameter of operation.parameters ?? []) {
      // Swagger UI sends the example of every parameter, and few filters go together.
      if (!parameter.required) delete parameter.schema.example;
    }
    const body = operation.requestBody?.content["application/json"];
    if (body) body.example = exampleOf(body.schema, document);
  }
  repairSchemas(document);
  closeBodies(app, document);
  return document;
}

/** Bodies in which a record may be sent back stay open: its read-only members are accepted, and ignored. */
function closeBodies(app: OpenAPIHono<AppEnv>, document: Document): void {
  const { definitions } = app.openAPIRegistry;
  const closed: unknown[] = [];
  const open: unknown[] = [];
  for (const definition of definitions) {
    if (definition.type !== "route") continue;
    const declared = assertType<Declared>(definition.route);
    const operation = assertType<Record<string, Operation>>(document.paths[declared.path])[declared.method];
    const body = operation?.requestBody?.content["application/json"]?.schema;
    open.push(operation?.responses);
    if (body) (sentBackIn(declared, definitions) ? open : closed).push(body);
  }
  closeSchemas(closed, open, assertType<Parameters<typeof closeSchemas>[2]>(document.components?.schemas ?? {}));
}

type Operation = RouteExtensions & {
  security?: Security;
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  parameters?: { required?: boolean; schema: Schema }[];
  responses?: unknown;
};

interface Schema {
  $ref?: string;
  example?: unknown;
  allOf?: Schema[];
}

/** The example of a schema: its own, or that of the schema it refers to or extends. */
function exampleOf({ $ref, example, allOf = [] }: Schema, document: Document): unknown {
  const referred = $ref && assertType<Schema | undefined>(document.components?.schemas?.[$ref.split("/").at(-1) ?? ""]);
  return example ?? (referred ? exampleOf(referred, document) : allOf[0] && exampleOf(allOf[0], document));
}

function operationsOf(document: Document): Operation[] {
  const items = Object.values(document.paths ?? {});
  return assertType<Operation[]>(items.flatMap((item) => Object.values(assertType<object>(item))));
}

function securityOf(guard: Guard["kind"], mode: Config["ACCESS_MODE"]): Security {
  if (guard === "public") return [];
  if (guard === "user") return [SESSION];
  if (guard === "owner") return [SESSION, API_KEY];
  // An empty requirement is OpenAPI's way to say that a credential is optional.
  return mode === "open" ? [{}, SESSION, API_KEY] : [SESSION, API_KEY];
}

const NULL = { type: "object", nullable: true, enum: [null] };

/**
 * OpenAPI 3.0 allows `nullable` only beside `type`, and a validator ignores it elsewhere. The library writes
 * `{ nullable: true }` alone as a part of `allOf` or `anyOf`, and for a value of any type.
 */
function repairSchemas(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const schema = assertType<Record<string, unknown>>(node);
  for (const combination of ["allOf", "anyOf"]) {
    const parts = assertType<Record<string, unknown>[]>(schema[combination] ?? []);
    const marker = parts.find((part) => part.nullable === true && !part.type);
    if (!marker) continue;
    delete schema[combination];
    Object.assign(schema, {
      ...marker,
      nullable: undefined,
      anyOf: [...parts.filter((part) => part !== marker), NULL],
    });
  }
  if (schema.nullable === true && !schema.type) delete schema.nullable;
  // The same for an integer, and understood by validators that know the numeric form of `exclusiveMinimum` only.
  if (schema.type === "integer" && schema.exclusiveMinimum === true) {
    schema.minimum = Number(schema.minimum) + 1;
    delete schema.exclusiveMinimum;
  }
  for (const [name, part] of Object.entries(schema)) {
    if (name !== "example" && name !== "examples") repairSchemas(part);
  }
}

function introduction(mode: Config["ACCESS_MODE"]): string {
  const access = {
    open: "This service runs in `open` mode: emails, tasks, events and the other data need no credential. Settings and the account do. A credential that is sent must be valid, also where none is needed.",
    private: "This service runs in `private` mode: everything except signing in needs a credential.",
  }[mode];
  const codes = Object.entries(ERRORS).map(([code, [status, title]]) => `| ${status} | \`${code}\` | ${title} |`);
  return `Emails, tasks, calendar and live streams of one person, or of a few who share everything, with an AI assistant and a booking provider that is kept in sync.

## Getting started
1. ${access}
2. Create an account with \`POST /api/auth/register\`, or sign in with \`POST /api/auth/login\`. The first account owns the service.
3. Copy \`token\` from the response, press **Authorize** above the list and paste it under \`session\`. It is valid for 15 minutes; \`POST /api/auth/refresh\` returns a new one. For programs, create an API key with \`POST /api/settings/security/api-keys\`.
4. First calls: \`POST /api/tasks\` creates a task, \`GET /api/tasks\` lists tasks, \`POST /api/ai/chat\` asks the assistant.

## Conventions
- Times are RFC 3339: any offset in requests, UTC in responses. Most parameters also take a date such as \`2026-11-20\`. Time zones are IANA names.
- Lists return \`data\` and \`nextCursor\`; send \`nextCursor\` as \`cursor\` to get the next page.
- A single record has an \`ETag\`. Send it as \`If-Match\` to change the record only if nobody else has. Where an endpoint lists \`If-None-Match\`, send it there to read the record only if it has changed.
- With an \`Idempotency-Key\`, a repeated POST returns the first response instead of acting twice.
- Writes of data return \`X-D1-Bookmark\`. A read that sends it back may be served by a nearby read replica and still includes that write.
- \`GET /api/live\` tells which records change, as they do.
- Members and query parameters that an endpoint does not have are refused, so that nothing you send is dropped silently. When you change a record you may send it back whole: its read-only members (\`id\`, \`version\`, \`createdAt\` and so on) are ignored.
- Errors are \`application/problem+json\` (RFC 9457). \`code\` is stable; every response has an \`X-Request-Id\`.

<details>
<summary>All error codes</summary>

| Status | Code | Meaning |
|---|---|---|
${codes.join("\n")}

</details>
`;
}
