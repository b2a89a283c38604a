import { type Context, isPerson, requireScopes } from "../../context.ts";
import type { ChatAction, ChatOption } from "../../db/schema/chat.ts";
import { missedWrite } from "../../db/version.ts";
import type { ToolName } from "../../lib/chat-tools.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { readingFor } from "../people/reading.ts";
import type { ChatResponse } from "./schemas.ts";
import { toolByName } from "./tools/registry.ts";
import { AmbiguousMatch, type Preview, type Tool, type ToolContext } from "./tools/tool.ts";

/** More calls than any one message needs. */
const MAX_CALLS = 30;
export const MAX_WRITES = 10;

export type Proposal = ChatResponse["proposals"][number];

export type Outcome =
  | { status: "done"; result: Record<string, unknown> }
  | { status: "proposed"; proposal: Proposal }
  | { status: "ambiguous"; message: string; options: ChatOption[] }
  | { status: "refused"; code: string; message: string };

export const PROPOSAL_REASON = "This came up after reading text from outside, such as an email, so please confirm it.";

/**
 * One message and the tool calls it leads to, one after the other. Once text written by other people has been read, a
 * write is only proposed, unless the person has confirmed exactly this write: such text can never make the assistant act.
 */
export class Turn implements ToolContext {
  readonly ctx: Context;
  readonly timeZone: string;
  readonly actions: ChatAction[] = [];
  readonly proposals: Proposal[] = [];
  /** Which record, in which version, each proposal is about. */
  readonly bases = new Map<string, string | null>();
  /** Whether text written by other people has been read in this turn. */
  hasReadUntrusted = false;
  /** The versions that a change or a proposal of this turn may be about; any if it is left out. */
  readonly expected?: readonly number[];
  private calls = 0;
  private writes = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(ctx: Context, timeZone: string, expected?: readonly number[]) {
    this.ctx = ctx;
    this.timeZone = timeZone;
    if (expected) this.expected = expected;
  }

  /** How the message's words about time are read. */
  get clock() {
    return { reference: this.ctx.now, ...readingFor(this.ctx, this.timeZone) };
  }

  get hasWritten(): boolean {
    return this.writes > 0;
  }

  /** A model may request several calls at once. Run in sequence, a write cannot get ahead of what a read returns. */
  call(name: string, input: unknown): Promise<Outcome> {
    return this.inSequence(() => this.callNow(name, input));
  }

  /**
   * A call that was confirmed. It was fixed before this turn read anything, so it need not be proposed to a person. An
   * API key confirms nothing.
   */
  callConfirmed(name: string, input: unknown): Promise<Outcome> {
    return this.inSequence(() => this.callNow(name, input, isPerson(this.ctx)));
  }

  private inSequence(run: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = this.last.then(run);
    this.last = outcome.catch(() => undefined);
    return outcome;
  }

  private async callNow(name: string, given: unknown, isConfirmed = false): Promise<Outcome> {
    this.calls += 1;
    if (this.calls > MAX_CALLS) return refusal("conflict", "That is too much for one message.");
    const tool = toolByName(name);
    if (!tool) return refusal("not_found", `There is no tool called ${name}.`);
    try {
      requireScopes(this.ctx, tool.scopes);
      const input = await resolveInput(this, tool, given);
      if (!tool.writes) return await this.done(tool, input);
      if (this.writes + this.proposals.length >= MAX_WRITES) {
        return refusal("conflict", `One message can change at most ${MAX_WRITES} things.`);
      }
      if (!this.hasReadUntrusted || isConfirmed) return await this.done(tool, input);
      return this.propose(tool.name, input, await tool.preview(this, input));
    } catch (error) {
      if (error instanceof AmbiguousMatch) {
        this.hasReadUntrusted ||= error.isUntrusted;
        return { status: "ambiguous", message: error.message, options: error.options };
      }
      if (error instanceof AppError) return refusal(error.code, error.message);
      throw error;
    }
  }

  private async done(tool: Tool, input: Record<string, unknown>): Promise<Outcome> {
    // Counted before the call: after a failure the change may have been made.
    if (tool.writes) this.writes += 1;
    const result = await this.run(tool, input);
    this.hasReadUntrusted ||= tool.returnsUntrusted(result);
    this.actions.push({ tool: tool.name, input, result });
    return { status: "done", result };
  }

  private async run(tool: Tool, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    try {
      return await tool.run(this, input);
    } catch (error) {
      if (tool.writes && error instanceof AppError) this.writes -= 1;
      throw error;
    }
  }

  /** A program may have chosen another time zone than the person expects who reads the summary. */
  private zoneNote(): string {
    const { actor } = this.ctx;
    const isProgram = actor.kind === "api_key" || actor.kind === "grant";
    return isProgram && actor.user.timeZone !== this.timeZone ? `, times in ${this.timeZone}` : "";
  }

  /** Proposes a write that the person asked to see first. */
  suggest(tool: ToolName, input: Record<string, unknown>, preview: Preview, reason: string): Proposal {
    return this.add(tool, input, preview, reason);
  }

  private propose(tool: string, input: Record<string, unknown>, preview: Preview): Outcome {
    const { record } = preview;
    if (record && this.expected && !this.expected.includes(record.version)) throw missedWrite(record, "record");
    return { status: "proposed", proposal: this.add(tool, input, preview, PROPOSAL_REASON) };
  }

  private add(tool: string, input: Record<string, unknown>, preview: Preview, reason: string): Proposal {
    const summary = `${preview.summary}${this.zoneNote()}`;
    const proposal = { id: randomToken(), tool, input, summary, reason };
    this.proposals.push(proposal);
    this.bases.set(proposal.id, basisOf(preview));
    return proposal;
  }
}

/** Changes whenever the record does. */
export function basisOf({ record }: Preview): string | null {
  return record && `${record.id}:${record.version}`;
}

function refusal(code: string, message: string): Outcome {
  return { status: "refused", code, message };
}

/** Validates the input and finds the record it names. */
async function resolveInput(context: ToolContext, tool: Tool, given: unknown): Promise<Record<string, unknown>> {
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
    throw new AppError("validation_failed", `The input of ${tool.name} is not valid: ${problems.join("; ")}.`);
  }
  if (tool.searchScope && !("id" in parsed.data)) requireScopes(context.ctx, [tool.searchScope]);
  const input = (await tool.resolve?.(context, parsed.data)) ?? parsed.data;
  return JSON.parse(JSON.stringify(input));
}
