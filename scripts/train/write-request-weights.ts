import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadModel } from "../../src/engine/email/request-model.ts";
import { readData } from "../public-data.ts";
import {
  atUsualShare,
  bestThreshold,
  crossValidate,
  type Example,
  type Measure,
  measure,
  trainFinal,
} from "./request-model.ts";

/** Trains the model that finds requests in emails and writes its weights. Part of `npm run train`. */
const examples = readData<Example[]>("email_intent_train.json");
const scored = crossValidate(examples).map(({ example, model }) => ({
  label: example.label,
  score: loadModel(model).margin(example.text),
}));
const threshold = bestThreshold(scored);
const guesses = scored.map(({ label, score }) => ({ truth: label, guess: score > threshold }));
const model = trainFinal(examples, threshold);

const source = `/** Made by \`npm run train\`; do not edit. */
export const REQUEST_MODEL = {
  scale: ${model.scale},
  bias: ${model.bias},
  threshold: ${model.threshold},
  table:
    "${model.table}",
};
`;
writeFileSync(join(import.meta.dirname, "../../src/engine/email/request-weights.ts"), source);
console.log(`table ${model.table.length} characters, threshold ${threshold}`);
const shown = ({ precision, recall, f1 }: Measure) =>
  `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`;
console.log(`cross-validated: ${shown(measure(guesses))}`);
console.log(`with as few requests as in ordinary email: ${shown(atUsualShare(guesses))}`);
