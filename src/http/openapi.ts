import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Config } from "../config.ts";
import { assertType } from "../lib/cast.ts";
import type { AppEnv } from "./app-env.ts";
import type { Guard } from "./guards.ts";
import type { RouteExtensions, Tag } from "./route.ts";

type Document = ReturnType<OpenAPIHono["getOpenAPIDocument"]>;
type Security = Record<string, string[]>[];

const SESSION: Security[number] = { session: [] };
const API_KEY: Security[number] = { apiKey: [] };

/** Generates the OpenAPI 3.0.3 description. Costly: keep the result. */
export function describe(app: OpenAPIHono<AppEnv>, tags: readonly Tag[], config: Config, version: string): Document {
  const document = app.getOpenAPIDocument({
    openapi: "3.0.3",
    info: {
      title: "Personal Operations Assistant Service",
      version,
      license: { name: "MIT" },
      description:
        "Mail, tasks, calendar and live streams of one person, understood with AI and kept in step with a booking provider. " +
        "Failures are `application/problem+json` with a stable `code`. Lists page by `cursor`. " +
        "Times are RFC 3339; answers are in UTC. " +
        "Writes of data answer with `X-D1-Bookmark`; a read that sends it back may be answered by a copy of the " +
        "database near the caller and still sees that write. Without it the primary answers.",
    },
    servers: [{ url: config.PUBLIC_URL ?? "/", description: "This service" }],
    tags: [...tags],
  });
  document.components = {
    ...document.components,
    securitySchemes: {
      session: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "JWT",
        description: "The `token` of register, login or refresh. Works while its session exists.",
      },
      apiKey: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "poa_…",
        description: "An API key, sent as a bearer token; limited to its scopes.",
      },
    },
  };
  for (const operation of operationsOf(document)) {
    operation.security = securityOf(operation["x-guard"], config.ACCESS_MODE);
    if (operation["x-body-required"] && operation.requestBody) operation.requestBody.required = true;
  }
  return document;
}

type Operation = RouteExtensions & { security?: Security; requestBody?: { required?: boolean } };

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
