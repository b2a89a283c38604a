import * as z from "zod";
import { type Actor, scopesOf } from "../../context.ts";
import { allows, type DataScope } from "../../lib/api-key-scopes.ts";
import { assertType } from "../../lib/cast.ts";
import type { AgentTool } from "../tools/agents/agent-tool.ts";
import { AGENT_TOOLS } from "../tools/registry.ts";

/** The scopes that a credential lacks for a tool. */
export function missingScopes(actor: Actor, { scopes, anyOf }: Pick<AgentTool, "scopes" | "anyOf">): DataScope[] {
  const granted = scopesOf(actor);
  const missing = granted === null ? [] : scopes.filter((scope) => !allows(granted, scope));
  return anyOf && missing.length < scopes.length ? [] : missing;
}

/** The tools that return ids. */
const FINDERS = ["search", "find_mail", "list_tasks", "list_events"];

/** What to do about an id that is not known. */
export function idAdvice(actor: Actor): string {
  const usable = AGENT_TOOLS.filter((tool) => FINDERS.includes(tool.name) && missingScopes(actor, tool).length === 0);
  const names = usable.map(({ name }) => name).join(", ");
  return names ? `It may have been deleted. Get a current id with ${names}.` : "Ask the person for a current one.";
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  [keyword: string]: unknown;
}

/** What a schema says in words, or what only a validator needs: names and types are enough for a model. */
const LEFT_OUT = ["$schema", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"];

function pruned({ properties, items, anyOf, ...rest }: Schema): Schema {
  const kept = Object.entries(rest).filter(([name]) => !LEFT_OUT.includes(name));
  const members = Object.entries(properties ?? {}).map(([name, schema]) => [name, pruned(schema)]);
  return {
    ...Object.fromEntries(kept),
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(items && { items: pruned(items) }),
    ...alternatives(anyOf),
  };
}

/** A time is a date-time or a date, both texts; null beside one type is a list of types. */
function alternatives(anyOf: unknown): Schema {
  if (!Array.isArray(anyOf)) return {};
  const each = anyOf.map((schema: Schema) => pruned(schema));
  const types = [...new Set(each.flatMap(({ type }) => type))];
  const isSimple = each.every((schema) => Object.keys(schema).every((name) => name === "type" || name === "format"));
  return isSimple ? { type: types.length === 1 ? types[0] : types } : { anyOf: each };
}

/** Only the first level of what a tool returns: an agent sees the rest in the answer. */
function shallow({ type, properties = {}, required }: Schema): Schema {
  const members = Object.entries(properties).map(([name, schema]) => [name, { type: typeOf(schema) }]);
  return { type, properties: Object.fromEntries(members), required };
}

function typeOf(schema: Schema): unknown {
  const { type, anyOf } = pruned(schema);
  return type ?? (Array.isArray(anyOf) ? [...new Set(anyOf.map(({ type }: Schema) => type))] : "object");
}

function toSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  return assertType<Schema>(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
}

function listed({ name, title, description, input, output, effect }: AgentTool) {
  return {
    name,
    title,
    description,
    inputSchema: pruned(toSchema(input, "input")),
    outputSchema: shallow(toSchema(output, "output")),
    annotations: {
      readOnlyHint: effect === "reads",
      destructiveHint: effect === "changes",
      idempotentHint: effect === "reads",
      openWorldHint: false,
    },
  };
}

let all: { tool: AgentTool; entry: ReturnType<typeof listed> }[] | undefined;

/** The tools that this credential may use, as clients list them. */
export function listTools(actor: Actor) {
  all ??= AGENT_TOOLS.map((tool) => ({ tool, entry: listed(tool) }));
  return all.filter(({ tool }) => missingScopes(actor, tool).length === 0).map(({ entry }) => entry);
}
