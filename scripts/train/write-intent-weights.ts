import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readData } from "../public-data.ts";
import { numberLines } from "./common.ts";
import { trainIntents, type Utterance } from "./intent-model.ts";

/** Trains the model that classifies messages to the assistant and writes its weights. Part of `npm run train`. */
const model = trainIntents(readData<Utterance[]>("assistant_intents.json"));
const source = `/** Made by \`npm run train\`; do not edit. */
export const INTENT_MODEL = {
  scale: ${model.scale},
  biases: [
${numberLines(model.biases)}
  ],
  table:
    "${model.table}",
};
`;
writeFileSync(join(import.meta.dirname, "../../src/features/chat/language/errands/intent-weights.ts"), source);
console.log(`intents: table ${model.table.length} characters`);
