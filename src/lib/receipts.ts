import * as z from "zod";
import { allows, type DataScope } from "./api-key-scopes.ts";
import { assertType } from "./cast.ts";

/*
 * The one rule for what a program sees of a record that its scopes do not read. A schema says which scope reads it; this
 * module makes the schema of what remains without it, and the value is parsed by that. What is not known to be harmless
 * is left out:
 *
 *   record (it has a `version`)   its `id`, its `version` and its flags: members that are true or false, or one of a few words
 *   any other object              the same, and its numbers, times and the objects in it, each by this rule
 *   member that quotes a record   nothing: null, or an empty list or map
 */

interface Reader {
  scope: DataScope;
  /** The members that remain, where the rule keeps too much or too little. */
  receipt?: readonly string[];
  isQuote?: true;
}

const readers = new WeakMap<z.ZodType, Reader>();

/** Declares the scope that reads such a record, wherever it is returned. */
export function readBy(scope: DataScope, schema: z.ZodType, receipt?: readonly string[]): void {
  readers.set(schema, { scope, ...(receipt && { receipt }) });
}

/** Declares that a member quotes records that need another scope than the object it is in. */
export function quoting<Schema extends z.ZodType>(scope: DataScope, schema: Schema): Schema {
  readers.set(schema, { scope, isQuote: true });
  return schema;
}

/** The scope that reads what a write is about. Null for a guard that reads. */
export function readScopeOf(scopes: readonly DataScope[]): DataScope | null {
  const [scope = ""] = scopes.length === 1 ? scopes : [];
  return scope.endsWith(":write") ? assertType<DataScope>(scope.replace(":write", ":read")) : null;
}

/** The granted scopes, and the scope of the surrounding schema, which applies to schemas without one. */
interface View {
  granted: readonly string[];
  scope: DataScope | null;
}

/**
 * The schema of what somebody with these scopes may see of a value: the same schema if that is all of it, null if it is
 * nothing. `scope` reads what declares no scope of its own; null if it needs none.
 */
export function readable(schema: z.ZodType, view: View): z.ZodType | null {
  const left = leftOf(schema, view);
  return left === schema
    ? schema
    : (left?.meta({ description: schema.description ?? "Its id, version and flags." }) ?? null);
}

function leftOf(schema: z.ZodType, { granted, scope }: View): z.ZodType | null {
  const reader = readers.get(schema);
  const own = reader?.scope ?? scope;
  const view = { granted, scope: own };
  if (own !== null && reader?.isQuote && !allows(granted, own)) return emptied(schema);
  const { def } = assertType<z.core.$ZodTypes>(schema)._zod;
  switch (def.type) {
    case "object":
      return objectOf(assertType<z.ZodObject>(schema), view, reader?.receipt);
    case "array":
      return inner(schema, def.element, view, (part) => z.array(part));
    case "nullable":
      return inner(schema, def.innerType, view, (part) => part.nullable());
    case "optional":
      return inner(schema, def.innerType, view, (part) => part.optional());
    case "union":
      return unionOf(schema, def.options, view);
    default:
      return own === null || allows(granted, own) || isFact(schema) ? schema : null;
  }
}

function inner(schema: z.ZodType, part: z.core.$ZodType, view: View, around: (part: z.ZodType) => z.ZodType) {
  const own = assertType<z.ZodType>(part);
  const left = readable(own, view);
  return left === own ? schema : left && around(left);
}

function unionOf(schema: z.ZodType, options: readonly z.core.$ZodType[], view: View): z.ZodType | null {
  const left = options.map((option) => readable(assertType<z.ZodType>(option), view));
  if (left.every((option, index) => option === options[index])) return schema;
  const some = left.filter((option) => option !== null);
  return some.length > 0 ? z.union(some) : null;
}

function objectOf(schema: z.ZodObject, view: View, receipt?: readonly string[]): z.ZodType | null {
  const { shape } = schema;
  const isHidden = view.scope !== null && !allows(view.granted, view.scope);
  const isRecord = "version" in shape;
  const members = Object.entries(shape).map(([name, declared]): [string, z.ZodType | null] => {
    const member = assertType<z.ZodType>(declared);
    if (!isHidden) return [name, readable(member, view)];
    if (receipt) return [name, receipt.includes(name) ? member : null];
    if (name === "id" || name === "version" || isFlag(member)) return [name, member];
    // Of a record, only the fields that a receipt shows.
    const mayShow = !isRecord || readers.get(core(member))?.receipt !== undefined;
    return [name, mayShow ? readable(member, view) : null];
  });
  if (members.every(([name, member]) => member === shape[name])) return schema;
  const left = members.filter((member): member is [string, z.ZodType] => member[1] !== null);
  return left.length > 0 ? z.object(Object.fromEntries(left)) : null;
}

/** A schema without `nullable`, `optional` and lists around it. */
function core(schema: z.ZodType): z.ZodType {
  const { def } = assertType<z.core.$ZodTypes>(schema)._zod;
  if (def.type === "nullable" || def.type === "optional") return core(assertType<z.ZodType>(def.innerType));
  return def.type === "array" ? core(assertType<z.ZodType>(def.element)) : schema;
}

function isFlag(schema: z.ZodType): boolean {
  const { def } = assertType<z.core.$ZodTypes>(schema)._zod;
  if (def.type === "nullable" || def.type === "optional") return isFlag(assertType<z.ZodType>(def.innerType));
  return def.type === "boolean" || def.type === "enum" || def.type === "literal";
}

const TIMES: readonly unknown[] = ["datetime", "date"];

/** A flag, a number or a time. */
function isFact(schema: z.ZodType): boolean {
  const { def } = assertType<z.core.$ZodTypes>(schema)._zod;
  return (
    isFlag(schema) || def.type === "number" || (def.type === "string" && "format" in def && TIMES.includes(def.format))
  );
}

function emptied(schema: z.ZodType): z.ZodType {
  const { def } = assertType<z.core.$ZodTypes>(schema)._zod;
  const empty = def.type === "array" ? [] : def.type === "record" ? {} : null;
  return z.unknown().transform(() => empty);
}

/** The parts of a value that these scopes can read. */
export function readableOf<Value>(schema: z.ZodType, value: Value, view: View): Value {
  const left = readable(schema, view);
  return left === schema ? value : assertType<Value>(left ? left.parse(value) : {});
}
