import { type Context, requireScopes } from "../../context.ts";
import type { ChatAction, ChatOption } from "../../db/schema/chat.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { toolNamed } from "./tools/registry.ts";
import { type Tool, type ToolContext, Unclear } from "./tools/tool.ts";

/** A turn that does more than this is not doing what one message asked for. */
const MAX_CALLS = 30;
export const MAX_WRITES = 10;

export interface Proposal {
  id: string;
  tool: string;
  input: Record<string, unknown>;
  reason: string;
}

/** What came of a call. */
export type Outcome =
  | { status: "done"; result: Record<string, unknown> }
  | { status: "proposed"; proposal: Proposal }
  | { status: "unclear"; message: string; options: ChatOption[] }
  | { status: "refused"; code: string; message: string };

export const PROPOSAL_REASON =
  "Others' words (a mail, an invitation, a booking) were read before this was thought of, so it waits for your word.";

/**
 * One message and what is done about it. Calls run one after the other. Once others' words have been read,
 * a write is no longer done but proposed, whoever asks for it, unless the person had confirmed just that write.
 */
export class Turn implements ToolContext {
  readonly ctx: Context;
  readonly timeZone: string;
  readonly actions: ChatAction[] = [];
  readonly proposals: Proposal[] = [];
  /** Whether others' words have been read in this turn. */
  outside = false;
  private calls = 0;
  private writes = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(ctx: Context, timeZone: string) {
    this.ctx = ctx;
    this.timeZone = timeZone;
  }

  /** Whether something was changed. */
  get hasWritten(): boolean {
    return this.writes > 0;
  }

  /** A model may ask for several calls at once; in a row, none can slip by what another has read. */
  call(name: string, input: unknown): Promise<Outcome> {
    return this.inTurn(() => this.callNow(name, input));
  }

  /** A call the person has said yes to: it was fixed before this turn read anything, so it is done and not proposed. */
  callConfirmed(name: string, input: unknown): Promise<Outcome> {
    return this.inTurn(() => this.callNow(name, input, true));
  }

  private inTurn(run: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = this.last.then(run);
    this.last = outcome.catch(() => undefined);
    return outcome;
  }

  private async callNow(name: string, given: unknown, isConfirmed = false): Promise<Outcome> {
    this.calls += 1;
    if (this.calls > MAX_CALLS) return refusal("conflict", "That is more than one message may ask for.");
    const tool = toolNamed(name);
    if (!tool) return refusal("not_found", `There is no tool called ${name}.`);
    try {
      requireScopes(this.ctx, tool.scopes);
      const input = await settledInput(this, tool, given);
      if (!tool.writes) return await this.done(tool, input);
      if (this.writes + this.proposals.length >= MAX_WRITES) {
        return refusal("conflict", `One message may change at most ${MAX_WRITES} things.`);
      }
      return this.outside && !isConfirmed ? this.propose(tool, input) : await this.done(tool, input);
    } catch (error) {
      if (error instanceof Unclear) {
        this.outside ||= error.outside;
        return { status: "unclear", message: error.message, options: error.options };
      }
      if (error instanceof AppError) return refusal(error.code, error.message);
      throw error;
    }
  }

  private async done(tool: Tool, input: Record<string, unknown>): Promise<Outcome> {
    // Counted before it is tried: after a failure nobody knows, it may have been done.
    if (tool.writes) this.writes += 1;
    const result = await this.run(tool, input);
    this.outside ||= tool.readsOutside(result);
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

  private propose(tool: Tool, input: Record<string, unknown>): Outcome {
    const proposal = { id: randomToken(), tool: tool.name, input, reason: PROPOSAL_REASON };
    this.proposals.push(proposal);
    return { status: "proposed", proposal };
  }
}

function refusal(code: string, message: string): Outcome {
  return { status: "refused", code, message };
}

/** The input as the tool takes it, with the record that is meant; throws what is wrong with it. */
async function settledInput(world: ToolContext, tool: Tool, given: unknown): Promise<Record<string, unknown>> {
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
    throw new AppError("validation_failed", `${tool.name} cannot take that: ${problems.join("; ")}.`);
  }
  if (tool.looksWith && !("id" in parsed.data)) requireScopes(world.ctx, [tool.looksWith]);
  const input = (await tool.resolve?.(world, parsed.data)) ?? parsed.data;
  return JSON.parse(JSON.stringify(input));
}
