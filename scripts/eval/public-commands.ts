import { errandOf } from "../../src/features/chat/language/errands/errand.ts";
import type { Errand } from "../../src/features/chat/language/errands/errand-rules.ts";
import { plainRequest } from "../../src/features/chat/language/wording/paraphrase.ts";
import { fixSpelling } from "../../src/features/chat/language/wording/spelling.ts";
import { readData } from "../public-data.ts";
import type { Figure } from "./report.ts";

interface Command {
  /** The tools that serve it, as kinds; none for what is out of scope. */
  expect: string[];
  text: string;
}

/** The kinds of tools that an errand calls. */
const KINDS: Partial<Record<Errand, readonly string[]>> = {
  list_events: ["event.list"],
  brief: ["brief.list", "event.list"],
  free_time: ["slots.list"],
  attention: ["brief.list"],
  add_event: ["event.create"],
  block_time: ["event.create"],
  add_vacation: ["event.create"],
  cancel_event: ["event.cancel"],
  list_tasks: ["task.list"],
  summarise_tasks: ["task.list"],
  show_list: ["task.list"],
  show_lists: ["task.list"],
  add_task: ["task.create"],
  find_mail: ["mail.list"],
  summarise_mail: ["mail.list"],
};
const WRITES = /^(?:add|block|cancel|complete|change|remove|move|answer)_/;

/** How well spoken commands are routed, by the rules and the model as they are. */
export function evaluateCommands(): Figure[] {
  const commands = readData<Command[]>("assistant_dev.json");
  const rows = commands.map(({ expect, text }) => {
    const errand = errandOf(plainRequest(fixSpelling(text)));
    const isRight =
      expect.length === 0 ? !WRITES.test(errand) : (KINDS[errand] ?? []).some((kind) => expect.includes(kind));
    return { text, errand, isRight, isOutside: expect.length === 0 };
  });
  console.log("Spoken commands that are routed wrongly:");
  for (const { text, errand } of rows.filter(({ isRight }) => !isRight)) console.log(`  ${errand}: ${text}`);
  const figure = (name: string, isOutside: boolean) => {
    const own = rows.filter((row) => row.isOutside === isOutside);
    return { name, cases: own.length, score: own.filter(({ isRight }) => isRight).length / own.length, baseline: "" };
  };
  return [
    figure("NLU-Evaluation-Data: spoken commands that are served by the right tool", false),
    figure("NLU-Evaluation-Data: other messages that change nothing", true),
  ];
}
