import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Makes the set that the model of requests is trained on from the file of its source:
 *   node scripts/eval/convert.ts <Ask0729-fixed.txt of EmailIntentDataSet> <folder>
 */
const [emailIntent, folder] = process.argv.slice(2);
if (!emailIntent || !folder) {
  console.error("Usage: node scripts/eval/convert.ts <Ask0729-fixed.txt> <folder>");
  process.exit(2);
}

/** Each line is "Yes" or "No", a tab and a sentence. */
const sentences = readFileSync(emailIntent, "utf8")
  .split("\n")
  .filter((line) => line.includes("\t"))
  .map((line, at) => ({
    id: `train#${at}`,
    label: line.startsWith("Yes"),
    text: line.slice(line.indexOf("\t") + 1).replace(/^[ \r]+|[ \r]+$/g, ""),
  }));
writeFileSync(join(folder, "email_intent_train.json"), `${JSON.stringify(sentences, null, 1)}\n`);
console.log(`email_intent_train.json: ${sentences.length} cases`);
