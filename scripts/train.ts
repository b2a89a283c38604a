/**
 * Trains the models of the built-in engine and writes their weights.
 *   npm run train                 the reader of chat messages, on our own messages; prints how often it is right
 *   npm run train -- <folder>     also the model that finds requests in emails, on the public set in that folder
 */
import "./train/reader/write-weights.ts";
import "./train/reader/write-thresholds.ts";

if (process.argv.length > 2) await import("./train/write-request-weights.ts");
