import { type Act, readMessage } from "../../src/features/chat/reader/read.ts";
import { groupOf, isSure } from "../../src/features/chat/reader/sure.ts";
import { fixSpelling } from "../../src/features/chat/request/spelling.ts";
import { readData } from "../public-data.ts";
import { CLOCK } from "../train/reader/labelled.ts";
import type { Figure } from "./report.ts";

interface Command {
  /** The tools that serve it, as kinds; none for what is out of scope. */
  expect: string[];
  text: string;
}

/** The kinds of tools that an act calls. */
const KINDS: Partial<Record<Act, readonly string[]>> = {
  ask_day: ["event.list", "brief.list", "task.list"],
  ask_about: ["event.list", "task.list", "mail.list"],
  ask_free: ["slots.list"],
  ask_tasks: ["task.list"],
  ask_mail: ["mail.list"],
  read: ["mail.list"],
  summarise: ["mail.list"],
  plan: ["brief.list"],
  add_event: ["event.create"],
  add_task: ["task.create"],
  to_list: ["task.create"],
  remove: ["event.cancel"],
};

/** How well spoken commands are read. */
export function evaluateCommands(): Figure[] {
  const commands = readData<Command[]>("assistant_dev.json");
  const rows = commands.map(({ expect, text }) => {
    const wishes = readMessage(fixSpelling(text), "", CLOCK);
    const changes = wishes.some((wish) => groupOf(wish.act) !== null && isSure(wish));
    const isRight =
      expect.length === 0
        ? !changes
        : wishes.some(({ act }) => (KINDS[act] ?? []).some((kind) => expect.includes(kind)));
    return { text, act: wishes.map(({ act }) => act).join(" "), isRight, isOutside: expect.length === 0 };
  });
  console.log("Spoken commands that are read wrongly:");
  for (const { text, act } of rows.filter(({ isRight }) => !isRight)) console.log(`  ${act}: ${text}`);
  const figure = (name: string, isOutside: boolean) => {
    const own = rows.filter((row) => row.isOutside === isOutside);
    return { name, cases: own.length, score: own.filter(({ isRight }) => isRight).length / own.length, baseline: "" };
  };
  return [
    figure("NLU-Evaluation-Data: spoken commands that are read right", false),
    figure("NLU-Evaluation-Data: other messages that change nothing", true),
  ];
}
