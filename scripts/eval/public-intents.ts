import { BY_INTENT, errandOf } from "../../src/features/chat/language/errands/errand.ts";
import type { Errand } from "../../src/features/chat/language/errands/errand-rules.ts";
import { INTENTS, type Intent, loadIntents } from "../../src/features/chat/language/errands/intent-model.ts";
import { readData } from "../public-data.ts";
import { inFolds } from "../train/common.ts";
import { trainIntents, type Utterance } from "../train/intent-model.ts";
import type { Figure } from "./report.ts";

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`.padStart(8);
const rate = <Row>(rows: readonly Row[], isRight: (row: Row) => boolean) =>
  percent(rows.filter(isRight).length, rows.length);

/** How well messages to the assistant are classified, by models that have not seen them. */
export function evaluateIntents(): Figure[] {
  const utterances = readData<Utterance[]>("assistant_intents.json");
  const rows = inFolds(utterances, (others) => loadIntents(trainIntents(others))).map(({ example, model }) => {
    const errand = errandOf(example.text, model);
    return { ...example, guess: model.guess(example.text).intent, errand, isServed: serves(errand, example.intent) };
  });
  const inScope = rows.filter(({ intent }) => intent !== "oos");
  const isRight = ({ intent, guess }: (typeof rows)[number]) => intent === guess;
  console.log(`Routing of messages: ${rows.length} utterances, 18 intents and out of scope, 5-fold cross-validated`);
  console.log(`  intent, by the model alone  ${rate(rows, isRight)}   in scope ${rate(inScope, isRight)}`);
  console.log(
    `  what is done about it       ${rate(rows, (row) => row.isServed)}   in scope ${rate(inScope, (row) => row.isServed)}`,
  );
  for (const intent of INTENTS) showIntent(intent, rows);
  showSplit(utterances);
  const served = rows.filter((row) => row.isServed).length / rows.length;
  return [
    { name: "CLINC150: messages to an assistant (cross-validated)", cases: rows.length, score: served, baseline: "" },
  ];
}

type Row = Utterance & { guess: Intent; errand: string; isServed: boolean };

function showIntent(intent: Intent, rows: readonly Row[]): void {
  const own = rows.filter((row) => row.intent === intent);
  const errands = new Map<string, number>();
  for (const { errand } of own) errands.set(errand, (errands.get(errand) ?? 0) + 1);
  const done = [...errands].sort(([, a], [, b]) => b - a).slice(0, 3);
  const share = done.map(([errand, count]) => `${errand} ${count}`).join(", ");
  console.log(
    `    ${intent.padEnd(20)}model ${rate(own, (row) => row.guess === intent)}   served ${rate(own, (row) => row.isServed)}   ${share}`,
  );
}

/** The split of the data itself has nothing out of scope to train on, so only a low confidence can show it. */
function showSplit(utterances: readonly Utterance[]): void {
  const known = utterances.filter(({ split, intent }) => split !== "test" && intent !== "oos");
  const test = utterances.filter(({ split }) => split === "test");
  const threshold = doubtThreshold(known);
  const model = loadIntents(trainIntents(known));
  const guesses = test.map(({ text, intent }) => {
    const { intent: guess, confidence } = model.guess(text);
    return { intent, guess, sure: confidence >= threshold ? guess : "oos" };
  });
  const inScope = guesses.filter(({ intent }) => intent !== "oos");
  console.log("  the data's own split, trained without anything out of scope:");
  console.log(
    `    ${inScope.length} of test in scope            ${rate(inScope, ({ intent, guess }) => intent === guess)}`,
  );
  console.log(
    `    all ${guesses.length} of test, doubt below ${threshold.toFixed(2)} as out of scope ${rate(guesses, ({ intent, sure }) => intent === sure)}\n`,
  );
}

const HELD_BACK = 3;

/**
 * The confidence below which a message counts as out of scope, chosen without any such message: some intents are held
 * back in their place. The threshold rejects as large a share of these as it keeps of the others.
 */
function doubtThreshold(known: readonly Utterance[]): number {
  const intents: readonly Intent[] = INTENTS.filter((intent) => intent !== "oos");
  const strangers: number[] = [];
  const right: number[] = [];
  let others = 0;
  for (let at = 0; at < intents.length; at += HELD_BACK) {
    const held = intents.slice(at, at + HELD_BACK);
    const taught = known.filter(({ split, intent }) => split === "train" && !held.includes(intent));
    const model = loadIntents(trainIntents(taught));
    for (const { text, intent } of known.filter(({ split }) => split === "val")) {
      const { intent: guess, confidence } = model.guess(text);
      if (held.includes(intent)) strangers.push(confidence);
      else others += 1;
      if (guess === intent) right.push(confidence);
    }
  }
  const share = (list: readonly number[], total: number) => list.length / Math.max(1, total);
  for (let threshold = 0; threshold < 1; threshold += 0.02) {
    const refused = share(
      strangers.filter((confidence) => confidence < threshold),
      strangers.length,
    );
    const kept = share(
      right.filter((confidence) => confidence >= threshold),
      others,
    );
    if (refused >= kept) return threshold;
  }
  return 1;
}

/** Whether the errand does what the labelled intent asks for. */
function serves(errand: Errand, intent: Intent): boolean {
  const served: Partial<Record<Errand, readonly Intent[]>> = {
    list_tasks: ["todo_list", "reminder"],
    summarise_tasks: ["todo_list", "reminder"],
    add_task: ["todo_list_update", "reminder_update"],
    complete_task: ["todo_list_update"],
    change_task: ["todo_list_update", "reminder_update"],
    remove_task: ["todo_list_update", "reminder_update"],
    list_events: ["calendar", "meeting_schedule"],
    brief: ["calendar", "meeting_schedule", "todo_list"],
    free_time: ["calendar", "meeting_schedule", "schedule_meeting"],
    add_event: ["calendar_update", "schedule_meeting"],
    move_event: ["calendar_update", "schedule_meeting"],
    cancel_event: ["calendar_update"],
  };
  return (served[errand] ?? []).includes(intent) || (served[errand] === undefined && BY_INTENT[intent] === errand);
}
