import { expect, it } from "vitest";
import { readQuickTask } from "../../src/features/tasks/language/quick-add.ts";
import { expand, parseRule } from "../../src/lib/recurrence.ts";
import { toWall } from "../../src/lib/time-zone.ts";
import lines from "../data/repetitions.json";

const ZONE = "Europe/Berlin";
/** A Thursday, ten o'clock. */
const clock = { reference: new Date("2026-11-19T09:00:00Z"), timeZone: ZONE };

/** The first days of a rule, since one rule may be written in several ways. */
function daysOf(rrule: string | null, first: string): string {
  if (rrule === null) return "none";
  const start = Date.parse(`${first}T12:00:00Z`);
  const whole = { start, end: start + 1, zone: ZONE, allDay: false };
  const series = { ...whole, ...parseRule(rrule, whole), except: [] };
  const found = expand(series, { start, end: Number.POSITIVE_INFINITY }, { limit: 15 });
  return found.map((each) => new Date(each.start).toISOString().slice(0, 10)).join(" ");
}

const plain = (title: string) => title.toLowerCase().replace(/^[\s,:.-]+|[\s,:.-]+$/g, "");

/** "en | gym mon wed fri 7am | gym | FREQ=WEEKLY;BYDAY=MO,WE,FR | 2026-11-20 | 07:00" */
function readLine(labelled: string) {
  const [, text = "", label = "", rrule, first, at] = labelled.split(" | ");
  const line = { text, title: label, rrule: rrule || null, first: first || null, time: at || null };
  const { title, due, rule } = readQuickTask(line.text, clock);
  const wall = due && new Date(toWall(ZONE, due.getTime())).toISOString();
  const day = wall?.slice(0, 10) ?? "";
  const time = wall && !wall.endsWith("59.999Z") ? wall.slice(11, 16) : null;
  const isRule = daysOf(rule?.rrule ?? null, day) === daysOf(line.rrule, line.first ?? "");
  const isWhen = line.rrule === null || (day === line.first && time === line.time);
  return {
    right: isRule && isWhen && plain(title) === plain(line.title),
    // Said with confidence, and not what was meant.
    wrong: rule !== null && !(isRule && isWhen),
    shown: `${line.text} → ${rule?.rrule ?? "no rule"}, ${day} ${time ?? ""}, “${title}”`,
  };
}

it("reads how a task repeats in four languages, and is hardly ever wrong without saying so", () => {
  const read = lines.map(readLine);
  const misses = read.filter(({ right }) => !right).map(({ shown }) => shown);
  const wrong = read.filter((each) => each.wrong).map(({ shown }) => shown);
  expect(misses.length, misses.join("\n")).toBeLessThanOrEqual(21);
  expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(8);
});
