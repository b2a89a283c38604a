import type { OpenAPIHono } from "@hono/zod-openapi";
import { AppError } from "../lib/errors.ts";
import type { AppEnv } from "./app-env.ts";

/** Distinguishes a path that supports other methods (405) from one that does not exist (404). */
export function missedRoutes(app: OpenAPIHono<AppEnv>): (method: string, path: string) => AppError {
  let table: { pattern: RegExp; methods: string[] }[] | undefined;
  return (method, path) => {
    table ??= tableOf(app);
    const allowed = new Set(table.flatMap(({ pattern, methods }) => (pattern.test(path) ? methods : [])));
    if (allowed.size === 0) return new AppError("route_not_found", `There is no endpoint at ${path}. See /docs.`);
    if (allowed.has("GET")) allowed.add("HEAD");
    const list = [...allowed].sort().join(", ");
    return new AppError("method_not_allowed", `${path} supports ${list}, not ${method}.`, { allow: list });
  };
}

function tableOf(app: OpenAPIHono<AppEnv>) {
  const methods = new Map<string, Set<string>>();
  for (const route of app.routes) {
    // "ALL" is middleware.
    if (route.method !== "ALL") methods.set(route.path, (methods.get(route.path) ?? new Set()).add(route.method));
  }
  return [...methods].map(([path, set]) => ({ pattern: patternOf(path), methods: [...set] }));
}

/** Hono's path syntax: `:name`, or `:name{pattern}`. */
function patternOf(path: string): RegExp {
  const parts = path.split("/").map((part) => {
    const custom = /^:\w+\{(.+)\}$/.exec(part);
    if (custom) return custom[1];
    return part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("/")}$`);
}
