import { INTENTS, type Intent, loadIntents } from "../src/lib/engine/intent-model.ts";
import { readData } from "./data.ts";
import { trainIntents, type Utterance } from "./learn-intents.ts";
import { inFolds } from "./learning.ts";

const u = readData<Utterance[]>("assistant_intents.json");
console.time("cv");
const tried = inFolds(u, (o) => loadIntents(trainIntents(o)));
console.timeEnd("cv");
const rows = tried.map(({ example, model }) => ({
  truth: example.intent,
  text: example.text,
  ...model.guess(example.text),
}));
console.log("cv acc", rows.filter((r) => r.truth === r.intent).length / rows.length);
const conf = new Map<string, number>();
for (const r of rows)
  if (r.truth !== r.intent) conf.set(`${r.truth}>${r.intent}`, (conf.get(`${r.truth}>${r.intent}`) ?? 0) + 1);
console.log(
  [...conf]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 25)
    .map((x) => x.join(" "))
    .join("; "),
);
for (const i of INTENTS) {
  const t = rows.filter((r) => r.truth === i);
  console.log(i, (t.filter((r) => r.intent === i).length / t.length).toFixed(3));
}
