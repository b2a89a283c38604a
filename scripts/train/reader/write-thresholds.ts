import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fitGate } from "./gate.ts";
import { halvesOf, heldOut, heldOutLines } from "./held-out.ts";

/** Chooses how sure the reader has to be of a change, by voices that it has not heard. Part of `npm run train`. */
const readings = heldOut();
const gate = fitGate(halvesOf(readings).chosenOn);
const source = `/** Made by \`npm run train\`; do not edit. */
export const GATE: readonly number[] = ${JSON.stringify(gate.weights)};
export const SURE = ${gate.least};
`;
writeFileSync(join(import.meta.dirname, "../../../src/features/chat/reader/thresholds.ts"), source);
for (const line of heldOutLines(readings, gate)) console.log(line);
