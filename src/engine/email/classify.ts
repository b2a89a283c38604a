import { CATEGORIES, type Category, type EmailAnalysis, type Sentiment } from "../../lib/email-kinds.ts";
import { collapseSpace } from "../../lib/text.ts";
import { CATEGORY_CUES, NEGATIONS, NEGATIVE, POSITIVE, PRESSING, RELAXED } from "./classify-words.ts";
import { type ReadEmail, textOf } from "./email.ts";

type Urgency = EmailAnalysis["urgency"];

const MAX_READ = 20_000;

/** The subject and the sender's own text in one string. */
export function ownText(email: ReadEmail): string {
  const body = email.sentences.map((range) => textOf(email, range)).join(" ");
  return `${email.subject ?? ""}\n${body}`.slice(0, MAX_READ);
}

export function sentimentOf(text: string): Sentiment {
  let positive = 0;
  let negative = 0;
  let negated = 0;
  for (const [word] of text.toLowerCase().matchAll(/[a-z']+/g)) {
    if (NEGATIONS.has(word)) negated = 3;
    else if (POSITIVE.has(word)) {
      if (negated > 0) negative += 1;
      else positive += 1;
    } else if (NEGATIVE.has(word)) {
      if (negated > 0) positive += 0.5;
      else negative += 1;
    }
    negated -= 1;
  }
  if (positive >= 2 && negative >= 2 && Math.min(positive, negative) / Math.max(positive, negative) > 0.5)
    return "mixed";
  if (negative > positive) return "negative";
  return positive > negative ? "positive" : "neutral";
}

interface UrgencyFacts {
  nextDeadline: Date | null;
  actionCount: number;
  category: Category;
}

const DUE_WITHIN: readonly (readonly [hours: number, points: number, time: string])[] = [
  [24, 30, "a day"],
  [72, 18, "three days"],
  [7 * 24, 8, "a week"],
];

/** A score from 0 to 100 and the reasons for it. */
export function urgencyOf(email: ReadEmail, text: string, facts: UrgencyFacts): Urgency {
  const reasons: string[] = [];
  let score = 25;
  for (const [pattern, points, reason] of [...PRESSING, ...RELAXED]) {
    if (!pattern.test(text)) continue;
    score += points;
    reasons.push(reason);
  }
  if (facts.nextDeadline) {
    const hours = (facts.nextDeadline.getTime() - email.reference.getTime()) / 3_600_000;
    const [, points, time] = DUE_WITHIN.find(([most]) => hours > 0 && hours <= most) ?? [];
    if (points) {
      score += points;
      reasons.push(`due within ${time}`);
    }
  }
  if (facts.actionCount > 0) {
    score += Math.min(10, 4 + facts.actionCount * 2);
    reasons.push(facts.actionCount === 1 ? "has a request" : `has ${facts.actionCount} requests`);
  }
  if (email.subject && /[A-Z]{4,}/.test(email.subject) && email.subject === email.subject.toUpperCase()) {
    score += 5;
    reasons.push("the subject is in capitals");
  }
  if (facts.category === "newsletter" || facts.category === "spam-like" || facts.category === "receipt") {
    score = Math.min(score - 25, 20);
    reasons.push(
      `is ${facts.category === "receipt" ? "a receipt" : facts.category === "newsletter" ? "a newsletter" : "like spam"}`,
    );
  }
  score = Math.max(0, Math.min(100, Math.round(score)));
  return { level: levelOf(score), score, reasons };
}

export function levelOf(score: number): Urgency["level"] {
  if (score >= 80) return "critical";
  if (score >= 55) return "high";
  return score >= 25 ? "normal" : "low";
}

/** Addresses that people have for themselves. */
const FREE_HOSTS =
  /@(?:gmail|googlemail|yahoo|hotmail|outlook|live|icloud|me|aol|gmx|web|t-online|posteo|proton(?:mail)?|free|orange|laposte|mail)\.[a-z.]{2,6}$/i;

/** The kind of email. The footer counts too: it is what identifies newsletters. */
export function categoryOf(email: Pick<ReadEmail, "subject" | "visible" | "from">, hasMeeting: number): Category {
  const all = `${email.subject ?? ""}\n${email.visible.slice(0, MAX_READ)}`;
  const scores = new Map<Category, number>();
  for (const [category, points, pattern] of CATEGORY_CUES) {
    if (pattern.test(all)) scores.set(category, (scores.get(category) ?? 0) + points);
  }
  const add = (category: Category, points: number) => scores.set(category, (scores.get(category) ?? 0) + points);
  const sender = email.from?.email ?? "";
  if (/^(?:no-?reply|do-?not-?reply|notifications?|alerts?|mailer)@/i.test(sender)) add("notification", 2);
  else if (/^(?:support|billing|service)@/i.test(sender)) add("notification", 1);
  if (/^(?:news|newsletter|marketing|hello|info)@/i.test(sender)) add("newsletter", 1);
  if (/^(?:cancel+ed|updated|accepted|declined|tentative|invitation|canceled event):/i.test(email.subject ?? ""))
    add("meeting", 3);
  if (hasMeeting >= 0.6) add("meeting", 2.5);
  else if (hasMeeting >= 0.45) add("meeting", 1.5);
  let best: Category = "personal";
  let top = 0;
  for (const category of CATEGORIES) {
    const score = scores.get(category) ?? 0;
    if (score > top) {
      best = category;
      top = score;
    }
  }
  if (top > 0) return best;
  return collapseSpace(all).length > 300 && !FREE_HOSTS.test(sender) ? "work" : "personal";
}
