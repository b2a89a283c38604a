import * as z from "zod";
import type { Context } from "../../../context.ts";
import type { ChatOption } from "../../../db/schema/chat.ts";
import { assertType } from "../../../lib/cast.ts";
import type { ToolName } from "../../../lib/chat-tools.ts";
import type { DataScope } from "../../../lib/scopes.ts";
import { startOfDate, toInstant } from "../../../lib/time-zone.ts";

/** What a tool knows of the world: the service's, and where the person's clock hangs. */
export interface ToolContext {
  ctx: Context;
  timeZone: string;
}

/** More than one record fits what was said: which one is meant is the person's to say. */
export class Unclear extends Error {
  readonly options: ChatOption[];
  /** Whether others' words are among the names. */
  readonly outside: boolean;

  constructor(message: string, options: ChatOption[], outside: boolean) {
    super(message);
    this.name = "Unclear";
    this.options = options;
    this.outside = outside;
  }
}

/** Something the assistant can do. Both engines use the same, through the verbs the endpoints use. */
export interface Tool<Input extends object = object, Result = Record<string, unknown>> {
  name: ToolName;
  /** Told to a model. */
  description: string;
  input: z.ZodType<Input>;
  /** What an API key must be allowed, as for the endpoints that do the same. */
  scopes: readonly DataScope[];
  writes: boolean;
  /** What it takes to look for the record that words mean, in place of its number. */
  looksWith?: DataScope;
  /** Puts the record that is meant in the place of the words that mean it. */
  resolve?(world: ToolContext, input: Input): Promise<Input>;
  run(world: ToolContext, input: Input): Promise<Result>;
  /** Whether others' words are in the result. */
  readsOutside(result: Result): boolean;
}

/** Keeps the types of input and result together while the tool is written, and lets the table hold it with the others. */
export function defineTool<Input extends object, Result>(tool: Tool<Input, Result>): Tool {
  return {
    ...tool,
    resolve: async (world, input) => tool.resolve?.(world, tool.input.parse(input)) ?? input,
    run: async (world, input) => assertType<Record<string, unknown>>(await tool.run(world, tool.input.parse(input))),
    readsOutside: (result) => tool.readsOutside(assertType<Result>(result)),
  };
}

export const NOTHING_OUTSIDE = () => false;
export const ALWAYS_OUTSIDE = () => true;

/** What the person wrote, or what an applied proposal made, is theirs; anything else may carry others' words. */
const OWN_SOURCES: readonly string[] = ["manual", "chat"];
export const isFromOutside = ({ source }: { source: string }) => !OWN_SOURCES.includes(source);

/** A time as a model writes it: with an offset, by the person's clock, or a date. */
export const Moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);

export function instantOf(text: string, zone: string): Date {
  if (text.length === 10) return new Date(startOfDate(zone, text));
  const isLocal = !/(Z|[+-]\d\d:?\d\d)$/i.test(text);
  return new Date(isLocal ? toInstant(zone, Date.parse(`${text}Z`)) : Date.parse(text));
}

/** Words that name a record, in place of its number. */
export const Match = z.string().trim().min(1).max(200);
export const Id = z.int().positive();
