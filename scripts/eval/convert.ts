import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { INTENTS } from "../../src/features/chat/language/errands/intent-model.ts";

/**
 * Makes the two sets that the models are trained on from the files of their sources:
 *   node scripts/eval/convert.ts <Ask0729-fixed.txt of EmailIntentDataSet> <data_full.json of oos-eval> <folder>
 */
const [emailIntent, clinc, folder] = process.argv.slice(2);
if (!emailIntent || !clinc || !folder) {
  console.error("Usage: node scripts/eval/convert.ts <Ask0729-fixed.txt> <data_full.json> <folder>");
  process.exit(2);
}

const write = (name: string, rows: readonly unknown[]) => {
  writeFileSync(join(folder, name), `${JSON.stringify(rows, null, 1)}\n`);
  console.log(`${name}: ${rows.length} cases`);
};

/** Each line is "Yes" or "No", a tab and a sentence. */
const sentences = readFileSync(emailIntent, "utf8")
  .split("\n")
  .filter((line) => line.includes("\t"))
  .map((line, at) => ({
    id: `train#${at}`,
    label: line.startsWith("Yes"),
    text: line.slice(line.indexOf("\t") + 1).replace(/^[ \r]+|[ \r]+$/g, ""),
  }));
write("email_intent_train.json", sentences);

/** Pairs of text and intent, by split. Only the engine's intents are kept; the test split adds what is out of scope. */
const splits: Record<string, [text: string, intent: string][]> = JSON.parse(readFileSync(clinc, "utf8"));
const known: readonly string[] = INTENTS;
const messages = ["train", "val", "test", "oos_test"].flatMap((name) =>
  (splits[name] ?? [])
    .filter(([, intent]) => known.includes(intent))
    .map(([text, intent]) => ({ split: name.replace("oos_", ""), intent, text })),
);
write("assistant_intents.json", messages);
