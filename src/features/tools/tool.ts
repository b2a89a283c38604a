import * as z from "zod";
import type { Context } from "../../context.ts";
import type { ChatOption, ChatUndo } from "../../db/schema/chat.ts";
import type { DataScope } from "../../lib/api-key-scopes.ts";
import { assertType } from "../../lib/cast.ts";
import type { ReadingTool, WritingTool } from "../../lib/chat-tools.ts";
import type { Preview } from "../conversations/proposals.ts";
import type { AgentFace } from "./agents/agent-tool.ts";

export interface ToolContext {
  ctx: Context;
  timeZone: string;
  /** The version of the record that a write may change; any version if it is left out. */
  expected?: readonly number[];
  /**
   * Whoever calls shows no more of a record than its scopes read. Otherwise a change of a record needs the scope that
   * reads it, because a reply speaks of it.
   */
  showsReceipts?: true;
  /** The conversation whose writes can be taken back. */
  conversationId?: string;
}

/** Thrown when several records match: the person has to choose one. */
export class AmbiguousMatch extends Error {
  readonly options: ChatOption[];
  /** Whether the labels contain text written by other people. */
  readonly isUntrusted: boolean;

  constructor(message: string, options: ChatOption[], isUntrusted: boolean) {
    super(message);
    this.name = "AmbiguousMatch";
    this.options = options;
    this.isUntrusted = isUntrusted;
  }
}

/** Something the assistant can do. The model and the built-in engine use the same tools. */
export type Tool<Input extends object = object, Result = Record<string, unknown>> = Call<Input, Result> &
  ({ name: ReadingTool; writes: false } | Write<Input>);

interface Write<Input> {
  name: WritingTool;
  writes: true;
  /** What it writes, if that can be taken back. With an `id` in its input, a record that exists; else a new one. */
  record?: ChatUndo["kind"];
  /** Its `id` names another record than the one it writes. */
  isNew?: true;
  /** Only a person's yes makes it, whoever asks for it and whatever was read. */
  asksFirst?: true;
  /** Describes the write without making it. */
  preview(context: ToolContext, input: Input): Promise<Preview>;
}

interface Call<Input, Result> {
  /** Sent to the model. */
  description: string;
  input: z.ZodType<Input>;
  /** The scopes an API key needs, as for the endpoints that do the same. */
  scopes: readonly DataScope[];
  /** The scope that reads the record it changes: needed to find it by its words, and to speak of it. */
  searchScope?: DataScope;
  /** Replaces the words that name a record by its id. */
  resolve?(context: ToolContext, input: Input): Promise<Input>;
  run(context: ToolContext, input: Input): Promise<Result>;
  /** Left out: agents do not have it. */
  agents?: AgentFace;
  /** Left out: every result counts as text written by other people. */
  ownWords?: OwnWords<Result, Input>;
}

/** Which results have no words but those of the person, of the call and of the service, and why that is so. */
interface OwnWords<Result, Input> {
  because: string;
  in(result: Result, input: Input): boolean;
}

/** Checks input and result types where the tool is written, and removes them so that the registry can hold all tools. */
export function defineTool<Input extends object, Result>(tool: Tool<Input, Result>): Tool {
  const { ownWords } = tool;
  const { record, isNew, asksFirst } = tool.writes ? tool : {};
  const kept = { ...(record && { record }), ...(isNew && { isNew }), ...(asksFirst && { asksFirst }) };
  const access = tool.writes
    ? { name: tool.name, writes: true as const, ...kept, preview: previewOf(tool) }
    : { name: tool.name, writes: false as const };
  return {
    ...tool,
    ...access,
    resolve: async (context, input) => tool.resolve?.(context, tool.input.parse(input)) ?? input,
    run: async (context, input) =>
      assertType<Record<string, unknown>>(await tool.run(context, tool.input.parse(input))),
    ownWords: {
      because: ownWords?.because ?? "",
      in: (result, input) => ownWords?.in(assertType<Result>(result), tool.input.parse(input)) ?? false,
    },
  };
}

function previewOf<Input>(tool: { input: z.ZodType<Input> } & Write<Input>): Write<object>["preview"] {
  return async (context, input) => tool.preview(context, tool.input.parse(input));
}

/** Ids, times, numbers, names of states: nobody chooses a word of it. */
export const NO_WORDS = { because: "It has ids, times, numbers and names of states only.", in: () => true };

/** A record whose words may be other people's, whatever made it. */
export const isOutside = ({ outside }: { outside: boolean }) => outside;

/** The stored mark covers every text that the tools show of a task or an event. */
export const UNMARKED = {
  because: "Its mark says that all of its words are the person's own.",
  in: (record: { outside: boolean }) => !record.outside,
};

/** Words that name a record instead of its id. */
export const Match = z.string().trim().min(1).max(200);
export const Id = z.int().positive();
