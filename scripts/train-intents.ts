import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readData } from "./data.ts";
import { trainIntents, type Utterance } from "./learn-intents.ts";
import { numberLines, tableLines } from "./learning.ts";

/** Trains the model that tells what a message to the assistant wants, and writes its table. Part of `npm run train`. */
const model = trainIntents(readData<Utterance[]>("assistant_intents.json"));
const source = `/** Made by \`npm run train\`; do not edit. */
export const INTENT_MODEL = {
  scale: ${model.scale},
  biases: [
${numberLines(model.biases)}
  ],
  table:
${tableLines(model.table)},
};
`;
writeFileSync(join(import.meta.dirname, "../src/lib/engine/assistant/intent-weights.ts"), source);
console.log(`intents: table ${model.table.length} characters`);
