/**
 * Trains the models of the built-in engine and writes their weights.
 *   npm run train                 the reader of chat messages and the signs of sign-in codes, on our own messages; prints
 *                                 how often they are right
 *   npm run train -- <folder>     also the model that finds requests in emails, on the public set in that folder
 */
import "./train/reader/write-weights.ts";
import "./train/reader/write-thresholds.ts";
import "./train/write-sign-in-weights.ts";

if (process.argv.length > 2) await import("./train/write-request-weights.ts");
