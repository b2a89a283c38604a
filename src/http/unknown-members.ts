import type { z } from "@hono/zod-openapi";
import { assertType } from "../lib/cast.ts";

/*
 * Finds what a request sends and its schema does not have. The schemas themselves stay as they are: a strict copy of
 * each would have to be made for every route, and would not know which members a record may bring back.
 */

type Schema = z.core.$ZodType;

/** One of the forms that a schema accepts. */
type Form =
  | { kind: "object"; members: Readonly<Record<string, Schema>>; rest: Schema | undefined }
  | { kind: "list"; element: Schema }
  | { kind: "record"; value: Schema }
  /** Text, a number, true or false. */
  | { kind: "plain" }
  | { kind: "anything" };

export interface UnknownMember {
  /** Where the object is that has the member. */
  parents: readonly PropertyKey[];
  name: string;
  /** The members that this object may have. */
  known: readonly string[];
  /** The record has it, but this request cannot set it. */
  isReadOnly: boolean;
}

/** The record that a request may send back, read-only members included. */
export interface SentBack {
  schema: Schema;
  /**
   * In a POST, the member that identifies the record. Without it the body is not a record that was read before, and a
   * member such as `expiresAt`, which nothing would use, is a mistake.
   */
  identity?: string;
  /** Members that are ignored even without the identity. */
  always?: readonly string[];
}

const forms = new WeakMap<Schema, readonly Form[]>();

/** Worked out when a request first needs it, and kept. */
function formsOf(schema: Schema): readonly Form[] {
  let found = forms.get(schema);
  if (!found) {
    found = readForms(schema);
    forms.set(schema, found);
  }
  return found;
}

function readForms(schema: Schema): readonly Form[] {
  const { def } = assertType<z.core.$ZodTypes>(schema)._zod;
  switch (def.type) {
    case "object":
      return [{ kind: "object", members: def.shape, rest: restOf(def.catchall) }];
    case "array":
      return [{ kind: "list", element: def.element }];
    case "record":
      return [{ kind: "record", value: def.valueType }];
    case "union":
      return def.options.flatMap(formsOf);
    case "intersection":
      return formsOf(def.left).flatMap((left) => formsOf(def.right).map((right) => both(left, right)));
    case "optional":
    case "nullable":
    case "nonoptional":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
      return formsOf(def.innerType);
    case "pipe":
      // `preprocess` begins with a function, which has no members.
      return formsOf(def.in._zod.def.type === "transform" ? def.out : def.in);
    case "lazy":
      return formsOf(def.getter());
    case "any":
    case "unknown":
    case "custom":
    case "tuple":
    case "transform":
      return [{ kind: "anything" }];
    default:
      return [{ kind: "plain" }];
  }
}

/** The schema for other members of an object; `never` for a strict one. */
function restOf(catchall: Schema | undefined): Schema | undefined {
  return catchall?._zod.def.type === "never" ? undefined : catchall;
}

function both(left: Form, right: Form): Form {
  if (left.kind !== "object" || right.kind !== "object") return left;
  return { kind: "object", members: { ...left.members, ...right.members }, rest: left.rest ?? right.rest };
}

/** The members of `value`, at any depth, that neither the schema has nor a record that is sent back. */
export function unknownMembers(
  schema: Schema,
  value: unknown,
  record?: SentBack,
  parents: readonly PropertyKey[] = [],
): UnknownMember[] {
  if (typeof value !== "object" || value === null) return [];
  const accepted = formsOf(schema);
  if (accepted.some(({ kind }) => kind === "anything")) return [];
  // The schema refuses input of any other form.
  if (Array.isArray(value)) {
    const inRecord = part(record, (form) => (form.kind === "list" ? form.element : undefined));
    return fewest(accepted, (form) => {
      if (form.kind !== "list") return null;
      return value.flatMap((entry, index) => unknownMembers(form.element, entry, inRecord, [...parents, index]));
    });
  }
  return fewest(
    accepted.filter((form) => mayBe(form, value)),
    (form) => {
      if (form.kind === "object") return membersOfObject(form, value, record, parents);
      if (form.kind !== "record") return null;
      return Object.entries(value).flatMap(([name, member]) =>
        unknownMembers(form.value, member, undefined, [...parents, name]),
      );
    },
  );
}

function membersOfObject(
  { members, rest }: Extract<Form, { kind: "object" }>,
  value: object,
  record: SentBack | undefined,
  parents: readonly PropertyKey[],
): UnknownMember[] {
  const sentBack =
    record && (record.identity === undefined || Object.hasOwn(value, record.identity)) ? record : undefined;
  return Object.entries(value).flatMap(([name, member]): UnknownMember[] => {
    const own = Object.hasOwn(members, name) ? members[name] : rest;
    // Null says nothing that could be lost.
    const isIgnored = sentBack || member === null || record?.always?.includes(name);
    const inRecord = memberOf(isIgnored ? record : undefined, name);
    if (own) return unknownMembers(own, member, inRecord, [...parents, name]);
    if (inRecord && looksLike(inRecord.schema, member)) return [];
    return [{ parents, name, known: Object.keys(members), isReadOnly: memberOf(record, name) !== undefined }];
  });
}

/** The record's part at the same place. */
function part(record: SentBack | undefined, of: (form: Form) => Schema | undefined): SentBack | undefined {
  const schemas = record ? formsOf(record.schema).flatMap((form) => of(form) ?? []) : [];
  return schemas[0] && { schema: schemas[0] };
}

function memberOf(record: SentBack | undefined, name: string): SentBack | undefined {
  return part(record, (form) => {
    if (form.kind === "record") return form.value;
    return form.kind === "object" && Object.hasOwn(form.members, name) ? form.members[name] : undefined;
  });
}

/**
 * Whether the service can have sent this value, as far as its shape goes: an attachment with its content in it was
 * never read from here. Texts and numbers are not compared, because clients write times and ids in their own way.
 */
function looksLike(schema: Schema, value: unknown): boolean {
  const accepted = formsOf(schema);
  if (value === null || accepted.some(({ kind }) => kind === "anything")) return true;
  if (typeof value !== "object") return accepted.some(({ kind }) => kind === "plain");
  return accepted.some((form) => {
    if (Array.isArray(value)) return form.kind === "list" && value.every((entry) => looksLike(form.element, entry));
    if (form.kind === "record") return Object.values(value).every((member) => looksLike(form.value, member));
    if (form.kind !== "object") return false;
    return Object.entries(value).every(([name, member]) => {
      const own = Object.hasOwn(form.members, name) ? form.members[name] : form.rest;
      return own !== undefined && looksLike(own, member);
    });
  });
}

/** Whether the constants of a form, such as `platform: "x"`, are those of the value. */
function mayBe(form: Form, value: object): boolean {
  if (form.kind !== "object") return true;
  return Object.entries(form.members).every(([name, schema]) => {
    const { def } = assertType<z.core.$ZodTypes>(schema)._zod;
    return def.type !== "literal" || def.values.includes(assertType<string>(Reflect.get(value, name)));
  });
}

/** The findings by the form that explains most of the value. */
function fewest(accepted: readonly Form[], find: (form: Form) => UnknownMember[] | null): UnknownMember[] {
  let best: UnknownMember[] | undefined;
  for (const form of accepted) {
    const found = find(form);
    if (found && (!best || found.length < best.length)) best = found;
    if (best?.length === 0) break;
  }
  return best ?? [];
}
