/*
 * Run by Node itself, where the source is as fast as in the service: under vitest, each use of an import costs extra. Prints
 * the pieces that take a parser longer than in proportion, by the name of the parser, at the given share of its longest text;
 * with `messages`, the price of messages to the chat.
 */
import { pricesOf, slowPieces } from "./measure.ts";
import { PARSERS, requestsIn } from "./parsers.ts";

const SENTENCE = "please move the dentist appointment from Friday at 3 to Monday at 10";
/** As long as people write: wishes, names and dates in every sentence. */
const LONG = `${SENTENCE}, and then remind me to call Ann about the quarterly report. `.repeat(40).slice(0, 5000);

function measured(what: string) {
  if (what === "messages") return pricesOf({ words: () => requestsIn(SENTENCE), long: () => requestsIn(LONG) });
  return Object.fromEntries(PARSERS.map(([name, most, parse]) => [name, slowPieces(most, Number(what), parse)]));
}

process.stdout.write(JSON.stringify(measured(process.argv[2] ?? "")));
