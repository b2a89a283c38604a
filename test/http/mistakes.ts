import type { Schema } from "../fuzz/from-schema.ts";
import { resolved } from "./operations.ts";

/*
 * Bodies and query parameters with a mistake in every place: each round has another kind for each type, so that every
 * rule of a schema (type, length, format, choice, range) is broken in one of them.
 */

export const ROUNDS = [0, 1, 2, 3, 4];

const WRONG: Record<string, readonly unknown[]> = {
  number: ["no number", -1, 0.5, 1e300, null],
  integer: ["no number", -1, 0.5, 1e300, null],
  boolean: ["yes", 1, [], {}, null],
  array: [{}, [], [[]], "text", null],
};

function wrongText({ maxLength = 1000 }: Schema, round: number): unknown {
  return [{}, "", "no-such-word", "x".repeat(Math.min(maxLength, 120_000) + 1), null][round];
}

/** A body of the schema's shape whose every leaf is wrong. */
export function wrongBody(given: Schema, round: number, depth = 0): unknown {
  const schema = resolved(given);
  const { type = "string", properties, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  const [form] = [...allOf, ...anyOf, ...oneOf];
  const isInside = depth > 0 && (properties || items);
  if (depth > 5 || (isInside && round === 4)) return "text";
  if (items && round > 1) return [wrongBody(items, round, depth + 1)];
  if (form && !properties) return wrongBody(form, round, depth + 1);
  if (!properties) return type in WRONG ? WRONG[type]?.[round] : wrongText(schema, round);
  return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, wrongBody(one, round, depth + 1)]));
}

/** What every query parameter has at once, round by round. */
export const WRONG_PARAMETERS = ["", "no-such-word", "-1", "0.5", "x".repeat(2000)];

/** The body with members that nobody knows, in it and in every object inside it, and where those are. */
export function withUnknown(body: Record<string, unknown>): { body: unknown; unknown: string[] } {
  const unknown = ["noSuchThing", "__another"];
  const add = (value: unknown, path: string[]): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((each, index) => add(each, [...path, String(index)]));
    const inside = Object.entries(value).map(([name, member]) => [name, add(member, [...path, name])] as const);
    if (path.length === 0) return Object.fromEntries([...inside, ["noSuchThing", 1], ["__another", { deep: [] }]]);
    unknown.push([...path, "noSuchThing"].join("."));
    return Object.fromEntries([...inside, ["noSuchThing", 1]]);
  };
  return { body: add(body, []), unknown };
}
