import type { Context } from "../../../context.ts";
import type { AiTask, Engine } from "../../../lib/ai-kinds.ts";
import { recordCall } from "./usage.ts";

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** A step of a call, as the SDK reports it. */
interface EndedStep {
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
  finishReason: string;
}

export interface Meter {
  usage: Usage;
  /** Adds output of the current step. */
  addOutput(characters: number): void;
  stepEnded(step: EndedStep): void;
  /** `isCutOff`: the connection was closed while the provider was generating. */
  close(isCutOff: boolean): Promise<void>;
}

/** The average of European languages. */
const CHARACTERS_PER_TOKEN = 4;
const tokensOf = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/**
 * Counts the tokens of a call and records them when it ends. The runtime drops a request whose client has left, but not
 * deferred work: the call is deferred as a whole, so that its end is always recorded. Providers report the tokens of a
 * step at its end; for a step without one they are estimated.
 */
export function openMeter(ctx: Context, engine: Engine, task: AiTask, promptCharacters: number): Meter {
  const startedAt = Date.now();
  const usage = { inputTokens: 0, outputTokens: 0 };
  let unreportedCharacters = 0;
  let isGenerating = true;
  let finish: (recording: Promise<void>) => void = () => {};
  ctx.defer(
    new Promise<void>((resolve) => {
      finish = resolve;
    }),
  );
  return {
    usage,
    addOutput(characters) {
      unreportedCharacters += characters;
    },
    stepEnded({ usage: { inputTokens, outputTokens }, finishReason }) {
      usage.inputTokens += inputTokens ?? 0;
      usage.outputTokens += outputTokens ?? 0;
      if (inputTokens !== undefined || outputTokens !== undefined) unreportedCharacters = 0;
      isGenerating = finishReason === "tool-calls";
    },
    async close(isCutOff) {
      if (unreportedCharacters > 0 || (isCutOff && isGenerating)) {
        usage.inputTokens += tokensOf(promptCharacters);
        usage.outputTokens += tokensOf(unreportedCharacters);
      }
      const recording = recordCall(ctx, { task, engine, ...usage, durationMs: Date.now() - startedAt });
      finish(recording);
      // A response is not lost because it could not be recorded; `defer` logs the failure.
      await recording.catch(() => {});
    },
  };
}
