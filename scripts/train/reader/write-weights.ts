import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { trainingMessages } from "./labelled.ts";
import { trainReader } from "./model.ts";

/** Trains the model that reads messages and writes its weights. Part of `npm run train`. */
const { known, acts, boundaries, slots } = trainReader(trainingMessages());
const source = `import type { PackedReader } from "./model.ts";

/** Made by \`npm run train\`; do not edit. */
export const READER: PackedReader = {
  known:
    "${known}",
  acts: {
    features:
      "${acts.features}",
    points:
      "${acts.points}",
    scale: ${acts.scale},
    outputs: ${JSON.stringify(acts.outputs)},
  },
  boundaries:
    "${boundaries}",
  slots:
    "${slots}",
};
`;
writeFileSync(join(import.meta.dirname, "../../../src/features/chat/reader/weights.ts"), source);
console.log(`reader: ${source.length} characters`);
