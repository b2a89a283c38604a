import type { Context } from "../../../context.ts";
import type { AiTask, Engine } from "../../../lib/ai-kinds.ts";
import { recordCall } from "./usage.ts";

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

/** A round of a call, as the SDK tells of it when it is over. */
interface EndedStep {
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
  finishReason: string;
}

export interface Meter {
  usage: Usage;
  /** So much came of the round that runs. */
  heard(characters: number): void;
  stepEnded(step: EndedStep): void;
  /** `isCutOff`: the provider was at work, and was hung up on. */
  close(isCutOff: boolean): Promise<void>;
}

/** About what a token stands for in European languages. */
const CHARACTERS_PER_TOKEN = 4;
const tokensOf = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);

/**
 * Counts what a call costs, and writes it down when the call is over. The runtime drops a request whose
 * client has left, but not what was deferred: so the whole call is, and its end comes in any case.
 * A provider says what a round cost at its end; of one that has none, the cost is estimated.
 */
export function openMeter(ctx: Context, engine: Engine, task: AiTask, promptCharacters: number): Meter {
  const startedAt = Date.now();
  const usage = { inputTokens: 0, outputTokens: 0 };
  let spoken = 0;
  let isAtWork = true;
  let finish: (recording: Promise<void>) => void = () => {};
  ctx.defer(
    new Promise<void>((resolve) => {
      finish = resolve;
    }),
  );
  return {
    usage,
    heard(characters) {
      spoken += characters;
    },
    stepEnded({ usage: { inputTokens, outputTokens }, finishReason }) {
      usage.inputTokens += inputTokens ?? 0;
      usage.outputTokens += outputTokens ?? 0;
      if (inputTokens !== undefined || outputTokens !== undefined) spoken = 0;
      isAtWork = finishReason === "tool-calls";
    },
    async close(isCutOff) {
      if (spoken > 0 || (isCutOff && isAtWork)) {
        usage.inputTokens += tokensOf(promptCharacters);
        usage.outputTokens += tokensOf(spoken);
      }
      const recording = recordCall(ctx, { task, engine, ...usage, durationMs: Date.now() - startedAt });
      finish(recording);
      // An answer that was paid for is not lost for want of its record; `defer` logs the failure.
      await recording.catch(() => {});
    },
  };
}
