import { type Context, copying, isPerson, relayingOutsideWords, requireScopes } from "../../context.ts";
import type { ChatAction, ChatOption, ChatRecord, ChatState } from "../../db/schema/chat.ts";
import { missedWrite } from "../../db/version.ts";
import type { ReadingTool, ToolName } from "../../lib/chat-tools.ts";
import { AppError } from "../../lib/errors.ts";
import type { Language } from "../../lib/languages.ts";
import { newProposal, type Preview, type Proposal } from "../conversations/proposals.ts";
import type { Undoable } from "../conversations/put-back.ts";
import { isOfRecord, NO_STATE, recordsIn } from "../conversations/state.ts";
import { readingFor } from "../people/reading.ts";
import { toolByName } from "./registry.ts";
import { AmbiguousMatch, type Tool, type ToolContext } from "./tool.ts";
import { writeUndoably } from "./undoable.ts";

/** More calls than any one message needs. */
const MAX_CALLS = 30;
export const MAX_WRITES = 10;

interface AppliedProposal {
  tool: string;
  input: Record<string, unknown>;
  result: Record<string, unknown> | null;
}

export type Outcome =
  | { status: "done"; result: Record<string, unknown>; isUntrusted: boolean }
  | { status: "proposed"; proposal: Proposal }
  | { status: "ambiguous"; message: string; options: ChatOption[]; isUntrusted: boolean }
  | { status: "refused"; code: string; message: string; isUntrusted: boolean };

const PROPOSAL_REASON = "This came up after reading text from outside, such as an email, so please confirm it.";

const SENDING_REASON = "An email is sent only after you have confirmed it.";

/**
 * One message and the tool calls it leads to, one after the other. Once text written by other people has been read, a
 * write is only proposed, unless the person has confirmed exactly this write: such text can never make the assistant act.
 */
export class Turn implements ToolContext {
  ctx: Context;
  readonly timeZone: string;
  readonly actions: ChatAction[] = [];
  readonly proposals: Proposal[] = [];
  /** What this turn has written, and how to take it back. */
  readonly undoables: Undoable[] = [];
  readonly conversationId: string;
  /** What the conversation is about, before this turn. */
  readonly state: ChatState;
  /** The records that this turn has written, and those it has shown. */
  readonly written: ChatRecord[] = [];
  shown: ChatRecord[] = [];
  /** The question that this turn has answered from the records. */
  asked: string | null = null;
  hasSettled = false;
  /** Nothing was understood or found: the next message cannot refer to what was talked about before. */
  isLost = false;
  /** It asks about something that is not stored yet. */
  isAsking = false;
  /** The language of the reply. */
  language: Language = "en";
  /** Writes of applied proposals that can be taken back. They are stored already. */
  readonly applied = new Set<string>();
  /** Whether text written by other people has been read in this turn. */
  hasReadUntrusted = false;
  /** The versions that a change or a proposal of this turn may be about; any if it is left out. */
  readonly expected?: readonly number[];
  readonly showsReceipts?: true;
  private calls = 0;
  private writes = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    ctx: Context,
    timeZone: string,
    options: { conversationId?: string; state?: ChatState } & Pick<ToolContext, "expected" | "showsReceipts"> = {},
  ) {
    this.ctx = ctx;
    this.timeZone = timeZone;
    this.conversationId = options.conversationId ?? "";
    this.state = structuredClone(options.state ?? NO_STATE);
    if (options.expected) this.expected = options.expected;
    if (options.showsReceipts) this.showsReceipts = options.showsReceipts;
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

  /** A call that changes nothing. */
  look(name: ReadingTool, input: Record<string, unknown>): Promise<Outcome> {
    return this.call(name, input);
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
    let input: Record<string, unknown> = {};
    try {
      requireScopes(this.ctx, tool.scopes);
      input = await resolveInput(this, tool, given);
      if (!tool.writes) return await this.done(tool, input, this);
      if (this.writes + this.proposals.length >= MAX_WRITES) {
        return refusal("conflict", `One message can change at most ${MAX_WRITES} things.`);
      }
      const mayAct = tool.asksFirst ? isConfirmed : !this.hasReadUntrusted || isConfirmed;
      if (mayAct) return await this.done(tool, input, this.writing(input, isConfirmed));
      return this.propose(tool.name, input, await tool.preview(this, input));
    } catch (error) {
      if (error instanceof AmbiguousMatch) {
        const { message, options, isUntrusted } = error;
        this.hasReadUntrusted ||= isUntrusted;
        return { status: "ambiguous", message, options, isUntrusted };
      }
      if (!(error instanceof AppError)) throw error;
      // What was found, but could not be changed, is still what the conversation is about.
      const found = error.code === "not_found" ? [] : recordsIn(tool.name, input, this.state);
      if (found.length > 0 && this.written.length === 0) this.shown = found;
      this.hasReadUntrusted ||= error.mayQuoteOthers;
      return refusal(error.code, error.message, error.mayQuoteOthers);
    }
  }

  /** For a write. Words of a record that the conversation was about, or that a person only agreed to, keep its mark. */
  private writing(input: Record<string, unknown>, isConfirmed: boolean): ToolContext {
    const { ctx, timeZone, conversationId, expected } = this;
    const sources = this.recordsQuotedIn(textsIn(input));
    return {
      ctx: isConfirmed ? relayingOutsideWords(ctx) : copying(ctx, ...sources),
      timeZone,
      conversationId,
      ...(expected && { expected }),
    };
  }

  /** The records of this conversation whose words some of the texts repeat, and which are not known to be the person's. */
  private recordsQuotedIn(texts: readonly string[]): { outside: boolean }[] {
    const known = [...this.state.groups.flat(), ...this.shown, ...this.written];
    const isQuoted = (record: ChatRecord) => texts.some((text) => isOfRecord(text, record));
    const mayBeOutside = ({ kind, isOwn }: ChatRecord) => kind !== "slot" && !isOwn;
    return known.filter((record) => mayBeOutside(record) && isQuoted(record)).map(() => ({ outside: true }));
  }

  /** Whether a reply has text by other people: it was read in this turn, or is a title that was read before. */
  hasOutsideWords(reply: string): boolean {
    return this.hasReadUntrusted || this.recordsQuotedIn([reply]).length > 0;
  }

  private async done(tool: Tool, input: Record<string, unknown>, context: ToolContext): Promise<Outcome> {
    // Counted before the call: after a failure the change may have been made.
    if (tool.writes) this.writes += 1;
    const { result, undoable } = await this.run(tool, input, context);
    const isUntrusted = !tool.ownWords?.in(result, input);
    this.hasReadUntrusted ||= isUntrusted;
    if (undoable) this.undoables.push(undoable);
    this.actions.push({ id: undoable?.id ?? null, tool: tool.name, input, result });
    const records = recordsIn(tool.name, result, this.state);
    if (tool.writes) this.written.push(...records);
    else if (records.length > 0) this.shown = records;
    return { status: "done", result, isUntrusted };
  }

  private async run(
    tool: Tool,
    input: Record<string, unknown>,
    context: ToolContext,
  ): Promise<{ result: Record<string, unknown>; undoable?: Undoable }> {
    try {
      return tool.writes ? await writeUndoably(context, tool, input) : { result: await tool.run(context, input) };
    } catch (error) {
      if (tool.writes && error instanceof AppError) this.writes -= 1;
      throw error;
    }
  }

  /** What a question offered is still known, after the answer to it. */
  offered(options: readonly ChatOption[]): void {
    const records = options.flatMap(({ tool, input, label }) =>
      // The label is the title of a record that may be marked.
      recordsIn(tool, { ...input, title: label, outside: true }, this.state),
    );
    if (records.length > 1) this.state.groups.unshift(records);
  }

  /** A proposal of an earlier reply was applied by the person's word. */
  wasApplied({ tool, input, result }: AppliedProposal, id: string | null, canUndo: boolean): void {
    this.writes += 1;
    this.hasSettled = true;
    this.hasReadUntrusted = true;
    if (id !== null && canUndo) this.applied.add(id);
    this.actions.push({ id, tool, input, result: result ?? {} });
    this.written.push(...recordsIn(tool, result ?? {}, this.state));
  }

  /** Proposes a write that the person asked to see first. */
  suggest(tool: ToolName, input: Record<string, unknown>, preview: Preview, reason: string): Proposal {
    return this.add(tool, input, preview, reason);
  }

  private propose(tool: string, input: Record<string, unknown>, preview: Preview): Outcome {
    const { record } = preview;
    if (record && this.expected && !this.expected.includes(record.version)) throw missedWrite(record, "record");
    const reason = tool === "send_mail" ? SENDING_REASON : PROPOSAL_REASON;
    return { status: "proposed", proposal: this.add(tool, input, preview, reason) };
  }

  private add(tool: string, input: Record<string, unknown>, preview: Preview, reason: string): Proposal {
    const proposal = newProposal(this, { tool, input, preview, reason });
    this.proposals.push(proposal);
    return proposal;
  }
}

function refusal(code: string, message: string, isUntrusted = false): Outcome {
  return { status: "refused", code, message, isUntrusted };
}

/** Every text in an input, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Validates the input and finds the record it names. */
async function resolveInput(context: ToolContext, tool: Tool, given: unknown): Promise<Record<string, unknown>> {
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
    throw new AppError("validation_failed", `The input of ${tool.name} is not valid: ${problems.join("; ")}.`);
  }
  if (tool.searchScope && !(context.showsReceipts && "id" in parsed.data)) {
    requireScopes(context.ctx, [tool.searchScope]);
  }
  const input = (await tool.resolve?.(context, parsed.data)) ?? parsed.data;
  return JSON.parse(JSON.stringify(input));
}
