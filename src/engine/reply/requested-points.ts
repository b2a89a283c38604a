import { capitalize, collapseSpace } from "../../lib/text.ts";
import { wordSet } from "../../lib/words.ts";
import { isTask } from "../email/action-items.ts";
import { type ReadEmail, textOf } from "../email/email.ts";
import type { Intelligence } from "../email/intelligence.ts";
import { IMPERATIVES } from "../email/request-words.ts";
import { sentence } from "./instruction-sentences.ts";
import { swapPronouns } from "./swap-pronouns.ts";

/** What an email asks of its reader. */
export interface Points {
  /** What the reader is asked to do, in the reader's words: "send you the contract". */
  tasks: string[];
  /** What the sender needs: "You need the slides tonight." */
  needs: string[];
  questions: string[];
  deadline: Date | null;
}

const MAX_POINTS = 8;
const MAX_POINT = 220;

export function pointsOf(email: ReadEmail, { actionItems }: Intelligence): Points {
  const mine = actionItems.filter((item) => isTask(item) && item.assignee === "you" && item.confidence >= 0.55);
  const points: Points = { tasks: [], needs: [], questions: [], deadline: null };
  const taken = new Set<number>();
  for (const { text, quote, dueAt } of mine) {
    const command = commandIn(text);
    if (text.length > MAX_POINT || points.tasks.length >= MAX_POINTS) continue;
    if (!isCommand(command)) continue;
    points.tasks.push(swapPronouns(command.charAt(0).toLowerCase() + command.slice(1)));
    taken.add(quote.start);
    if (dueAt && dueAt > email.reference && (!points.deadline || dueAt < points.deadline)) points.deadline = dueAt;
  }
  points.needs = email.sentences
    .map((range) => collapseSpace(textOf(email, range)).replace(/[.!]+$/, ""))
    .filter((text) => NEED.test(text) && text.length <= MAX_POINT)
    .map((text) => sentence(swapPronouns(text), "."))
    .slice(0, MAX_POINTS);
  points.questions = email.sentences
    .filter(({ start }) => !taken.has(start))
    .map((range) => capitalize(collapseSpace(textOf(email, range)).replace(LEAD, "")))
    .filter((text) => text.endsWith("?") && text.length <= MAX_POINT && !PLEASANTRY.test(text))
    .slice(0, MAX_POINTS);
  return points;
}

const LEAD = /^(?:if so|also|and|then|so|in addition|finally|lastly|by the way|btw)\b,?\s/i;
const NEED = /^(?:i|we) (?:really |urgently |still |also )?need (?!you\b|to\b)/i;

/** "If so, could you send …" asks to send. */
function commandIn(text: string): string {
  return text.replace(LEAD, "").replace(/^(?:could|can|would|will) you (?:please |kindly |also )?/i, "");
}

/** "Send the file", but not "Do you agree", which only begins like one. */
function isCommand(text: string): boolean {
  const [first = "", second = ""] = text.toLowerCase().split(/\s/, 2);
  return (
    IMPERATIVES.has(first) &&
    !/^(?:you|we|i|they|he|she|it|there|the|this|these|those|that)$/.test(MODAL.has(first) ? second : "")
  );
}

const MODAL = wordSet("do have don't");
const PLEASANTRY =
  /^(?:how are (?:you|things)|how have you been|how's it going|what's up|did you have a (?:good|nice))\b/i;
