import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseLabelled, trainReader } from "./reader-model.ts";

/** Trains the model that reads messages which no rule understands and writes its weights. Part of `npm run train`. */
const folder = join(import.meta.dirname, "messages");
const samples = readdirSync(folder)
  .sort()
  .flatMap((name) => parseLabelled(readFileSync(join(folder, name), "utf8")));
const { known, acts, marks } = trainReader(samples);
const source = `/** Made by \`npm run train\`; do not edit. */
export const READER = {
  known:
    "${known}",
  acts: {
    features:
      "${acts.features}",
    points:
      "${acts.points}",
    scale: ${acts.scale},
    labels: ${JSON.stringify(acts.labels)},
  },
  marks:
    "${marks}",
};
`;
writeFileSync(join(import.meta.dirname, "../../src/features/chat/language/reader/weights.ts"), source);
console.log(`messages: ${samples.length} lines, ${source.length} characters`);
