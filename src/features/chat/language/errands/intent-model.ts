import { hashOf, unpackWeights } from "../../../../engine/packed-weights.ts";
import { words } from "../../../../lib/words.ts";
import { messageFeatures } from "./intent-features.ts";
import { INTENT_MODEL } from "./intent-weights.ts";

/** The intents of the training data (CLINC150); `oos` is out of scope. */
export const INTENTS = words(
  "oos time what_can_i_ask_you timezone yes todo_list_update reminder no calendar date thank_you reminder_update todo_list schedule_meeting goodbye meeting_schedule greeting text calendar_update",
);
export type Intent = (typeof INTENTS)[number];

/** One linear model per intent, all in one table: a weight is looked up by intent and feature together. */
export interface PackedIntents {
  table: string;
  /** What a stored weight is multiplied by. */
  scale: number;
  /** In the order of `INTENTS`. */
  biases: readonly number[];
}

export const weightName = (intent: number, feature: string) => `${intent}|${feature}`;

interface Guess {
  intent: Intent;
  /** Probability from 0 to 1. */
  confidence: number;
}

export function loadIntents(packed: PackedIntents): { guess(message: string): Guess } {
  let weights: Map<number, number> | null = null;
  return {
    guess(message) {
      weights ??= unpackWeights(packed.table);
      const known = weights;
      const features = messageFeatures(message);
      const norm = packed.scale / Math.sqrt(features.length);
      const scores = INTENTS.map((_, intent) => {
        let sum = 0;
        for (const feature of features) sum += known.get(hashOf(weightName(intent, feature))) ?? 0;
        return Math.exp((packed.biases[intent] ?? 0) + norm * sum);
      });
      const best = scores.indexOf(Math.max(...scores));
      const total = scores.reduce((sum, score) => sum + score, 0);
      return { intent: INTENTS[best] ?? "oos", confidence: (scores[best] ?? 0) / total };
    },
  };
}

/** The model trained by `npm run train`. */
export const intentModel = loadIntents(INTENT_MODEL);
