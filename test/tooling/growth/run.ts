/*
 * Run by Node itself, where the source is as fast as in the service: under vitest, each use of an import costs extra. Prints
 * the pieces that take a parser longer than in proportion, by the name of the parser, at the given share of its longest text.
 */
import { slowPieces } from "./measure.ts";
import { PARSERS } from "./parsers.ts";

const share = Number(process.argv[2]);
const found = PARSERS.map(([name, most, parse]) => [name, slowPieces(most, share, parse)]);
process.stdout.write(JSON.stringify(Object.fromEntries(found)));
