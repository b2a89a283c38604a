import { BY_INTENT, type Wish, wishOf } from "../src/lib/engine/assistant-wish.ts";
import { INTENTS, type Intent, loadIntents } from "../src/lib/engine/intent-model.ts";
import { readData } from "./data.ts";
import { trainIntents, type Utterance } from "./learn-intents.ts";
import { inFolds } from "./learning.ts";

const percent = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`.padStart(8);
const rate = <Row>(rows: readonly Row[], isRight: (row: Row) => boolean) =>
  percent(rows.filter(isRight).length, rows.length);

/** How well messages to the assistant are routed. Every figure is of a model that has not seen the message. */
export function evaluateIntents(): void {
  const utterances = readData<Utterance[]>("assistant_intents.json");
  const rows = inFolds(utterances, (others) => loadIntents(trainIntents(others))).map(({ example, model }) => {
    const wish = wishOf(example.text, model);
    return { ...example, guess: model.guess(example.text).intent, wish, isServed: serves(wish, example.intent) };
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
}

type Row = Utterance & { guess: Intent; wish: string; isServed: boolean };

function showIntent(intent: Intent, rows: readonly Row[]): void {
  const own = rows.filter((row) => row.intent === intent);
  const wishes = new Map<string, number>();
  for (const { wish } of own) wishes.set(wish, (wishes.get(wish) ?? 0) + 1);
  const done = [...wishes].sort(([, a], [, b]) => b - a).slice(0, 3);
  const share = done.map(([wish, count]) => `${wish} ${count}`).join(", ");
  console.log(
    `    ${intent.padEnd(20)}model ${rate(own, (row) => row.guess === intent)}   served ${rate(own, (row) => row.isServed)}   ${share}`,
  );
}

/** The data's own split trains on nothing out of scope, so only doubt can tell it there. */
function showSplit(utterances: readonly Utterance[]): void {
  const known = utterances.filter(({ split, intent }) => split !== "test" && intent !== "oos");
  const test = utterances.filter(({ split }) => split === "test");
  const model = loadIntents(trainIntents(known));
  const trial = loadIntents(trainIntents(known.filter(({ split }) => split === "train")));
  const doubts = known.filter(({ split }) => split === "val").map(({ text }) => trial.guess(text).confidence);
  const threshold = doubts.sort((a, b) => a - b)[Math.floor(doubts.length * 0.08)] ?? 0;
  const guesses = test.map(({ text, intent }) => {
    const { intent: guess, confidence } = model.guess(text);
    return { intent, guess, sure: confidence >= threshold ? guess : "oos" };
  });
  const inScope = guesses.filter(({ intent }) => intent !== "oos");
  console.log("  the data's own split, trained without anything out of scope:");
  console.log(`    in scope, 540 of test ${rate(inScope, ({ intent, guess }) => intent === guess)}`);
  console.log(
    `    with doubt (${threshold.toFixed(2)}) as out of scope: all of test ${rate(guesses, ({ intent, sure }) => intent === sure)}\n`,
  );
}

/** Whether what is done about a message is what its intent in the data asks for. */
function serves(wish: Wish, intent: Intent): boolean {
  const served: Partial<Record<Wish, readonly Intent[]>> = {
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
  return (served[wish] ?? []).includes(intent) || (served[wish] === undefined && BY_INTENT[intent] === wish);
}
