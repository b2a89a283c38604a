import type { Interval } from "../../lib/intervals.ts";
import { bareSubject, replySubject } from "../../lib/reply-subject.ts";
import { collapseSpace, firstCharacters } from "../../lib/text.ts";
import { MONTHS } from "../dates/vocabulary.ts";
import { correspondentOf, firstNameOf } from "../email/correspondent.ts";
import { type EmailInput, type ReadEmail, readEmail } from "../email/email.ts";
import { type Intelligence, understandEmail } from "../email/intelligence.ts";
import { kindByText } from "../email/kind.ts";
import { asksToMeet } from "../email/meeting-ask.ts";
import type { Meeting } from "../meetings/meetings.ts";
import { CLOSINGS, type ReplyTone, sentence, sentenceOf } from "./instruction-sentences.ts";
import { type Instruction, readInstructions } from "./instructions.ts";
import { type Points, pointsOf } from "./requested-points.ts";
import { aboutTimes, dayOf, joined, momentOf, suggestedTimes, withoutPromptInjections } from "./suggested-times.ts";

interface ReplyOrder {
  email: EmailInput;
  tone: ReplyTone;
  /** The instructions of the person who replies. */
  instructions: string;
  senderName: string | null;
  /** When the person who replies is busy; null if the calendar was not read. */
  busy?: readonly Interval[] | null;
}

interface WrittenReply {
  subject: string;
  response: string;
  /** Parts of the instructions that were not understood and not followed. */
  unread: string[];
}

/**
 * Replies to an email without a language model. It says what the instructions say. Without instructions it only
 * acknowledges the email: it never accepts, declines or promises anything by itself.
 */
export function writeReply({ email, tone, instructions: instructionText, senderName, busy }: ReplyOrder): WrittenReply {
  const { instructions, unread } = readInstructions(instructionText);
  const input = withoutPromptInjections(email);
  const read = readEmail(input);
  const understood = understandEmail(input);
  const points = pointsOf(read, understood);
  const times = suggestedTimes(input, read);
  const facts: Facts = { tone, understood, points, times, email: read, busy: busy ?? null };
  const written = [opening(facts, instructions), ...body(facts, instructions)].filter((text) => text !== "");
  // A reply of two short sentences is one paragraph.
  const middle =
    written.length === 2 && written.join(" ").length < 120 && !written.join("").includes("\n")
      ? [written.join(" ")]
      : written;
  const paragraphs = [greeting(input, tone), ...middle, closing(tone, senderName)];
  return {
    subject: firstCharacters(email.subject?.trim() ? replySubject(email.subject) : "Re: your message", 300),
    response: paragraphs.join("\n\n"),
    unread,
  };
}

/** The tone the instructions ask for: "keep it short". */
export function askedTone(instructions: string): ReplyTone | null {
  const { brief, friendly, formal } = readInstructions(instructions).hints;
  if (brief) return "brief";
  if (friendly) return "friendly";
  return formal ? "formal" : null;
}

interface Facts {
  tone: ReplyTone;
  understood: Intelligence;
  points: Points;
  times: Meeting[];
  email: ReadEmail;
  busy: readonly Interval[] | null;
}

function greeting(email: EmailInput, tone: ReplyTone): string {
  const name = correspondentOf(email);
  if (!name) return "Hello,";
  if (tone === "formal") return `Dear ${name},`;
  return `${tone === "friendly" ? "Hi" : "Hello"} ${firstNameOf(name)},`;
}

function closing(tone: ReplyTone, senderName: string | null): string {
  const words = CLOSINGS[tone];
  return senderName ? `${words},\n${senderName}` : `${words}`;
}

function opening({ tone, understood, email }: Facts, instructions: readonly Instruction[]): string {
  const thanks = tone === "formal" ? "Thank you" : "Thanks";
  if (tone === "brief") return instructions.length > 0 ? "" : `${thanks} for your message.`;
  const topic = firstCharacters(bareSubject(email.subject ?? ""), 120).replace(/(?<![.!?\s])[.!?\s]+$/, "");
  const about =
    topic.length >= 3 && !/^(?:thank|hello|hi\b|greetings)/i.test(topic)
      ? ` ${tone === "formal" ? "regarding" : "about"} “${topic}”`
      : "";
  const written = [`${thanks} for your message${about}.`];
  const isSad =
    understood.sentiment === "negative" && (understood.category === "work" || understood.category === "personal");
  if (isSad && !instructions.some(({ kind }) => kind === "apologise")) written.push("I am sorry to read about this.");
  if (understood.urgency.level === "critical") written.push("I understand that this is urgent.");
  return written.join(" ");
}

function isWrittenByPerson({ understood: { category }, email }: Facts): boolean {
  if (category === "newsletter" || category === "spam-like") return false;
  const kind = email.kind ?? kindByText(email);
  return kind === "person" || kind === "invitation";
}

const STANCE = new Set<Instruction["kind"]>(["accept", "decline", "postpone", "say", "propose", "confirm"]);

function body(facts: Facts, instructions: readonly Instruction[]): string[] {
  const avoided = instructions.filter(({ kind }) => kind === "avoid").flatMap(({ what }) => contentWords(what));
  const written = instructions.flatMap((instruction) => writtenOut(instruction, facts) ?? []);
  const isDecided = instructions.some(({ kind }) => STANCE.has(kind));
  const rest = isDecided ? leftOpen(facts, instructions) : acknowledgement(facts, instructions.length > 0);
  const keeps = (text: string) => !avoided.some((word) => text.toLowerCase().includes(word));
  // Only generated sentences are filtered; what the instructions say stays.
  return [flow(written), ...rest.filter(keeps)];
}

/** Words that two sentences may share without being about the same thing. */
const TOO_COMMON =
  /^(?:about|that|this|with|their|your|they|have|will|would|could|please|from|when|what|which|there|then|also|noon|week|tomorrow|today|\w+day|\d+)$/;

function contentWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []).filter(
    (word) => !TOO_COMMON.test(word) && !MONTHS.has(word),
  );
}

/** Joins sentences into one paragraph; a list gets a paragraph of its own. */
function flow(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => (text === "" ? next : `${text}${/\n/.test(text) ? "\n\n" : " "}${next}`), "");
}

const ABOUT_MEETING =
  /^(?:the |this |that |our |your |his |her |their )?(?:meeting|call|invite|invitation|appointment|time|slot|proposed time|date|chat|proposal|lunch|coffee|demo|interview)?$/i;

const NAMES_TIME =
  /^(?:on |at )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|^(?:tomorrow|today|next week)\b|^\d{1,2}(?::\d{2}|\s?[ap]m)/i;

/** An instruction as a sentence. "accept" alone refers to what the email asks for. */
function writtenOut(instruction: Instruction, facts: Facts): string | null {
  const { tone, times, points } = facts;
  const [time] = times;
  const isGeneral = ABOUT_MEETING.test(instruction.what);
  if (instruction.kind === "accept" && isGeneral && time && times.length === 1) {
    return sentence(`${momentOf(time, facts.email)} works ${tone === "formal" ? "well " : ""}for me`, ".");
  }
  if (instruction.kind === "accept" && NAMES_TIME.test(instruction.what)) {
    return sentence(`${instruction.what} works ${tone === "formal" ? "well " : ""}for me`, ".");
  }
  if (instruction.kind === "decline" && isGeneral && time) {
    const when = times.length === 1 ? momentOf(time, facts.email) : "the times you suggested";
    const regret = tone === "formal" ? "I regret that I am not available" : "I am afraid I cannot make it";
    return `${regret} ${times.length === 1 ? "on " : "at "}${when}.`;
  }
  if (instruction.kind === "postpone" && (isGeneral || instruction.what === "it") && time && times.length === 1) {
    const lead = tone === "formal" ? "Would it be possible to move our meeting from" : "Could we move our meeting from";
    return `${lead} ${momentOf(time, facts.email)} to ${instruction.to || "a later date"}?`;
  }
  if (instruction.kind === "postpone" && instruction.what === "" && time) {
    return sentenceOf({ ...instruction, what: "our meeting" }, tone);
  }
  if (
    (instruction.kind === "accept" || instruction.kind === "decline") &&
    instruction.what === "" &&
    points.tasks.length > 0
  ) {
    return decided(instruction.kind, points.tasks, tone);
  }
  return sentenceOf(instruction, tone);
}

function decided(kind: "accept" | "decline", tasks: readonly string[], tone: ReplyTone): string {
  const isYes = kind === "accept";
  if (tasks.every((task) => ANSWERS.test(task))) return agreement(isYes, tone);
  const [only] = tasks;
  const no = tone === "formal" ? "I regret that I am not able to" : "I am afraid I cannot";
  if (tasks.length === 1) return sentence(isYes ? `Yes, I will ${only}` : `${no} ${only}`, ".");
  return `${isYes ? "Yes, I will" : no}:\n${tasks.map((task) => `- ${task}`).join("\n")}`;
}

/** Requests that a plain yes answers. */
const ANSWERS = /^(?:confirm|let you know|reply|respond|answer|get back)\b/i;

function agreement(isYes: boolean, tone: ReplyTone): string {
  if (isYes) return tone === "formal" ? "I am pleased to confirm this." : "Yes, that is fine with me.";
  return tone === "formal" ? "I regret that I cannot agree to this." : "I am afraid I cannot agree to this.";
}

const ABOUT_TIME = new Set<Instruction["kind"]>(["accept", "decline", "postpone", "propose"]);

/** Requests of the email that the instructions do not mention. */
function leftOpen(facts: Facts, instructions: readonly Instruction[]): string[] {
  const { tone, points, times } = facts;
  if (!isWrittenByPerson(facts)) return [];
  const said = new Set(instructions.flatMap(({ what }) => contentWords(what)));
  const isOpen = (text: string) =>
    !isAboutTime(facts, text) && !contentWords(text).some((word) => said.has(word) || said.has(`${word}s`));
  // A bare yes or no is about what the email asks for.
  const decides =
    times.length === 0 && instructions.some(({ kind, what }) => ABOUT_TIME.has(kind) && /^(?:because\b|$)/i.test(what));
  const tasks = decides ? [] : points.tasks.filter(isOpen);
  const questions = decides && points.tasks.length === 0 ? [] : points.questions.filter(isOpen);
  const lines: string[] = [];
  if (tasks.length > 0) lines.push(aboutTasks(tasks, tone, questions.length === 0, points.deadline, facts, true));
  if (questions.length > 0) lines.push(aboutQuestions(questions, true, tone, tasks.length + questions.length > 1));
  return lines;
}

function isAboutTime({ times, email }: Facts, text: string): boolean {
  return (
    asksToMeet(text) ||
    times.some(({ quote }) => text.includes(collapseSpace(email.content.slice(quote.start, quote.end))))
  );
}

/** Repeats what the email asks for and promises nothing but an answer. */
function acknowledgement(facts: Facts, hasInstructions: boolean): string[] {
  const { tone, points, times, understood } = facts;
  if (!isWrittenByPerson(facts)) return hasInstructions ? [] : ["I have taken note of it."];
  const { tasks, needs, questions, deadline } = points;
  const lines: string[] = [];
  if (times.length > 0) lines.push(aboutTimes(times, facts.email, facts.busy));
  const isRest = (text: string) => times.length === 0 || !isAboutTime(facts, text);
  const open = tasks.filter(isRest);
  const asked = questions.filter(isRest);
  const isLast = asked.length === 0;
  if (needs.length > 0)
    lines.push(`${needs.join(" ")}${isLast && open.length === 0 ? " I will get back to you on this." : ""}`);
  if (open.length > 0) lines.push(aboutTasks(open, tone, isLast, deadline, facts));
  if (asked.length > 0) lines.push(aboutQuestions(asked, open.length + needs.length > 0, tone));
  if (lines.length > 0 || hasInstructions) return lines;
  if (/\bthank(?:s| you)\b.{0,40}\byour?\b/i.test(facts.email.visible)) return ["You are very welcome."];
  return [understood.replyNeeded ? "I will get back to you on this." : "I have taken note of it."];
}

function aboutTasks(
  tasks: readonly string[],
  tone: ReplyTone,
  isLast: boolean,
  deadline: Date | null,
  { email }: Facts,
  isMore = false,
): string {
  const asked = isMore ? "You also asked me" : "You asked me";
  const due = deadline && tone !== "brief" ? ` I have noted the date, ${dayOf(deadline, email.timeZone, email)}.` : "";
  const back = isLast ? ` I will get back to you on ${tasks.length === 1 ? "this" : "each of these points"}.` : "";
  if (tasks.length <= 2)
    return `${asked} ${joined(
      tasks.map((task) => `to ${task}`),
      "and",
    )}.${due}${back}`;
  return `${asked} to:\n${tasks.map((task) => `- ${task}`).join("\n")}\n\n${`${due}${back}`.trim()}`.trim();
}

function aboutQuestions(questions: readonly string[], isMore: boolean, tone: ReplyTone, isSeveral = isMore): string {
  const also = isMore ? "You also asked" : "You asked";
  const answer = tone === "brief" ? "I will let you know." : "I will look into it and let you know.";
  if (questions.length === 1) {
    return `${also}: “${questions[0]}” ${isSeveral ? "I will get back to you on each of these points." : answer}`;
  }
  return `${also}:\n${questions.map((question) => `- ${question}`).join("\n")}\n\nI will get back to you on each of these points.`;
}
