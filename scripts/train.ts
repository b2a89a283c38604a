/** Trains the models of the built-in engine and writes their weights. Usage: npm run train -- <folder> */
import "./train/write-request-weights.ts";
import "./train/write-intent-weights.ts";
import "./train/reader/write-weights.ts";
import "./train/reader/write-thresholds.ts";
