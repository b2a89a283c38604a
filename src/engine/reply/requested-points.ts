import { capitalize, collapseSpace } from "../../lib/text.ts";
import { isTask } from "../email/action-items.ts";
import { type ReadEmail, textOf } from "../email/email.ts";
import type { Intelligence } from "../email/intelligence.ts";
import { asOwnTask, swapPronouns } from "../email/pronouns.ts";
import { readRequest } from "../email/request-phrase.ts";
import { forwardedFrom } from "../email/writer.ts";
import { sentence } from "./instruction-sentences.ts";

/** The requests of an email to its reader. */
export interface Points {
  /** The requested action, in the reader's words: "send you the contract". */
  tasks: string[];
  /** A need of the sender: "You need the slides tonight." */
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
  const original = forwardedFrom(email);
  for (const { quote, dueAt } of mine) {
    const { kind, what } = readRequest(collapseSpace(quote.text));
    if (kind !== "do" || what.length > MAX_POINT || points.tasks.length >= MAX_POINTS) continue;
    const plain = what.charAt(0).toLowerCase() + what.slice(1);
    // Requests in a forwarded email are not for the person who forwards it.
    const isPassedOn = original !== null && quote.start >= original.start;
    points.tasks.push(isPassedOn ? asOwnTask(plain, original.name) : swapPronouns(plain));
    taken.add(quote.start);
    if (dueAt && dueAt > email.reference && (!points.deadline || dueAt < points.deadline)) points.deadline = dueAt;
  }
  points.needs = email.sentences
    .map((range) => collapseSpace(textOf(email, range)).replace(/(?<![.!])[.!]+$/, ""))
    .filter((text) => NEED.test(text) && text.length <= MAX_POINT)
    .map((text) => sentence(swapPronouns(text), "."))
    .slice(0, MAX_POINTS);
  points.questions = email.sentences
    .filter(({ start }) => !taken.has(start))
    .map((range) => capitalize(collapseSpace(textOf(email, range)).replace(LEAD, "")))
    .filter((text) => text.endsWith("?") && text.length <= MAX_POINT && / /.test(text) && !PLEASANTRY.test(text))
    .slice(0, MAX_POINTS);
  return points;
}

const LEAD = /^(?:if so|also|and|then|so|in addition|finally|lastly|by the way|btw)\b,?\s/i;
const NEED = /^(?:i|we) (?:really |urgently |still |also )?need (?!you\b|to\b)/i;

const PLEASANTRY =
  /^(?:how are (?:you|things)|how have you been|how's it going|what's up|did you have a (?:good|nice))\b/i;
