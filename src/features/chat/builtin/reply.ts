import type { ChatQuestion, ChatState } from "../../../db/schema/chat.ts";
import { hasEnglish, languageIn } from "../../../engine/languages/language.ts";
import type { DataScope } from "../../../lib/api-key-scopes.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Language } from "../../../lib/languages.ts";
import { toolByName } from "../../tools/registry.ts";
import { MAX_WRITES, type Turn } from "../../tools/turn.ts";
import type { Act } from "../reader/read.ts";
import { isOpen, isSure } from "../reader/sure.ts";
import { classesOf } from "../reader/word-classes.ts";
import { isPlain } from "../request/content.ts";
import { withoutTakenBack } from "../request/corrections.ts";
import { withoutCourtesies } from "../request/courtesies.ts";
import { wordsOf } from "../request/exact.ts";
import { isOrder } from "../request/orders.ts";
import { type Conversation, type Request, requestOf } from "../request/request.ts";
import { fixSpelling } from "../request/spelling.ts";
import { vetoOf } from "../request/vetoes.ts";
import { readWishes } from "../request/wishes.ts";
import { readFor, writeFor } from "./acts/index.ts";
import { inPlainWords } from "./anchors.ts";
import { addressAnswer } from "./answers/people.ts";
import { planDay } from "./answers/plan-day.ts";
import { lacking } from "./find.ts";
import { inContext, QUESTIONS } from "./follow.ts";
import { grounded } from "./ground.ts";
import { heard } from "./heard.ts";
import { askToConfirm, perform } from "./perform.ts";
import { type Answer, type Asking, isPlan, lastChange, type Plan, type Planned, type Scene } from "./plan.ts";
import { answerProposals } from "./proposals.ts";
import { answerQuestion } from "./question.ts";
import { clockAnswer, isCourtesy, talk } from "./talk.ts";
import { beyondReach, unclear } from "./unclear.ts";
import { voiceOf } from "./words/voice.ts";

/*
 * The reply without a model, in one pass: normalize, read, resolve, gate, tool, reply. Only the person's message can
 * cause an action: text that is read never does.
 */

type Said = Answer | Asking;

export async function replyBuiltin(turn: Turn, message: string, question: ChatQuestion | null): Promise<Said> {
  try {
    const said = await replyTo(turn, message, question);
    if (said.about && turn.written.length === 0) turn.shown = said.about;
    if (said.isLost) turn.isLost = true;
    if ("question" in said && said.question && !said.about?.length) turn.isAsking = true;
    return said;
  } catch (error) {
    // What the conversation was about may have been deleted since.
    if (error instanceof AppError && error.code === "not_found" && !turn.hasWritten) return { text: error.message };
    throw error;
  }
}

async function replyTo(turn: Turn, message: string, question: ChatQuestion | null): Promise<Said> {
  const language = languageIn(message) ?? "en";
  // A short message may not tell its language: "erledigt".
  turn.language = language === "en" && !hasEnglish(message) ? (turn.state.language ?? "en") : language;
  const plain = withoutCourtesies(normalize(message, turn.language), turn.language);
  const said = withoutTakenBack(plain, turn.clock);
  const text = await inPlainWords(turn, said);
  const scene: Scene = { sight: turn, voice: voiceOf(turn) };
  const proposed = question ? null : await answerProposals(turn, text);
  if (proposed) return proposed;
  const wishes = readWishes(text, contextOf(turn.state, question), turn.clock);
  const conversation = conversationOf(turn, question);
  const requests: Request[] = [];
  for (const wish of wishes) {
    const place = { isAsked: conversation.isAsked, isOnly: wishes.length === 1 };
    const read = requestOf(text, wish, conversation);
    const followed = await inContext(turn, read, place);
    requests.push(followed === read ? await heard(turn, read) : followed);
  }
  const answered = question ? await answerQuestion(turn, text, requests, question) : null;
  if (answered) return answered;
  const known = clockAnswer(scene, text) ?? (await addressAnswer(scene, text));
  if (known) return known;
  return isNonsense(text, requests) && requests[0]
    ? unclear(scene, requests[0], true)
    : replyToAll(turn, scene, requests);
}

/** No word of it says anything: it has none, or only one that is no name of anything and no word of a request. */
function isNonsense(text: string, requests: readonly Request[]): boolean {
  const words = wordsOf(text);
  const isKnown = (word: string) => classesOf(word).length > 0 || isPlain(word) || /\d/.test(word);
  const isSaid = requests.some(
    // An exact form is known.
    ({ times, act, share }) =>
      times.length > 0 || share === 1 || (act === "talk" && (share > 0.5 || isCourtesy(text))) || act === "answer",
  );
  return words.length === 0 || (words.length === 1 && !words.some(isKnown) && !isSaid);
}

/** Lines are items of a list. */
const normalize = (message: string, language: Language) => {
  const plain = message.replaceAll("’", "'").replace(/[“”„«»]/g, '"');
  // What is misspelled in English may be a word of another language: "im", "um".
  // Space is one character from here on: patterns need not repeat it.
  const spaced = plain.replace(/[^\S\n]+/g, " ").replace(/ ?\n[ \n]*/g, "\n");
  const isNumbered = /(?<!\S)1[.)]\s/.test(spaced) && /(?<!\S)2[.)]\s/.test(spaced);
  const listed = isNumbered ? spaced.replace(/:?\s?(?<!\S)1[.)]\s/, ": ").replace(/\s\d{1,2}[.)]\s/g, "; ") : spaced;
  return (language === "en" ? fixSpelling(listed) : listed)
    .replace(/(?<=[^\s:;,.!?])[^\S\n]*\n\s*/g, "; ")
    .replace(/\s+/g, " ")
    .trim();
};

/** What can be asked for at this point. */
function conversationOf({ state, clock }: Turn, question: ChatQuestion | null): Conversation {
  const { isWritten, groups, proposals } = state;
  const act = lastChange(state);
  const isAsked = question !== null || proposals.length > 0;
  return {
    clock,
    isAsked,
    isWritten: isWritten || state.isUndone,
    fits(each) {
      if (each === "answer") return question !== null;
      if (each === "pick") return question !== null || act !== null || (groups[0]?.length ?? 0) > 1;
      if (each === "other") return isWritten && act !== null;
      if (each === "yes") return isAsked;
      if (each === "no") return isAsked || isWritten;
      if (each === "send") return groups[0]?.[0]?.kind === "draft";
      return each !== "redo" || state.isUndone;
    },
  };
}

/** What the reader knows of the conversation, in the words it was trained with. */
function contextOf({ groups, proposals, isLost }: ChatState, question: ChatQuestion | null): string {
  if (question) return question.kind === "what" && question.tool === "draft_mail" ? "asked text" : ASKED[question.kind];
  if (isLost) return "failed";
  const [latest = []] = groups;
  const [first] = latest;
  if (proposals.length > 0 && first?.kind !== "draft") return "asked confirm";
  if (!first || first.kind === "slot") return "";
  return latest.length > 1 ? `${first.kind}s` : first.kind;
}

const ASKED: Record<ChatQuestion["kind"], string> = {
  which: "asked which",
  confirm: "asked confirm",
  when: "asked when",
  what: "asked title",
  address: "asked title",
};

/** One wish after the other. A question to the person has to be answered before the next one. */
async function replyToAll(turn: Turn, scene: Scene, requests: readonly Request[]): Promise<Said> {
  const isOne = requests.length === 1;
  // Courtesies and what is only told along with a request need no reply of their own.
  const asking = isOne ? requests : requests.filter(({ act }) => !ASIDE.has(act));
  const meant = asking.length > 0 ? asking : requests.slice(0, 1);
  const replies: Said[] = [];
  for (const [at, request] of meant.slice(0, MAX_WRITES).entries()) {
    // A later wish may refer to what an earlier one was about.
    const about = replies.at(-1)?.about;
    const latest = turn.written.length > 0 ? [...turn.written] : about;
    if (at > 0 && latest && latest.length > 0) turn.state.groups.unshift(latest);
    const said = await replyToOne(turn, scene, request);
    replies.push(said);
    const rest = meant.slice(at + 1).map((each) => each.text.replace(/^(?:and|then|und|dann|et|puis|y|luego) /i, ""));
    if ("question" in said && said.question && rest.length > 0) {
      replies.push({ text: scene.voice.say.sayAgain(rest.join(" ")) });
      break;
    }
  }
  const beyond = meant.slice(MAX_WRITES).map((each) => `“${each.text}”`);
  if (beyond.length > 0) replies.push({ text: scene.voice.say.tooMany(beyond.join(", ")) });
  return together(replies);
}

const ASIDE: ReadonlySet<Act> = new Set<Act>(["talk", "quiet", "yes", "no", "other_world"]);

function together(replies: readonly Said[]): Said {
  const question = replies.flatMap((said) => ("question" in said && said.question ? [said.question] : []))[0];
  const about = replies.flatMap((said) => said.about ?? []);
  const suggestions = replies.flatMap((said) => said.suggestions ?? []);
  const isLost = replies.length > 0 && replies.every((said) => said.isLost);
  const texts = [...new Set(replies.map(({ text }) => text).filter((text) => text !== ""))];
  const common = {
    text: texts.join("\n\n"),
    ...(about.length > 0 && { about }),
    ...(suggestions.length > 0 && { suggestions }),
    ...(isLost && { isLost: true as const }),
  };
  return question ? ({ ...common, question } as Asking) : common;
}

async function replyToOne(turn: Turn, scene: Scene, given: Request): Promise<Said> {
  const { say, language } = scene.voice;
  const request = await grounded(turn, given);
  const { act } = request;
  const isForeign = language !== "en" && ENGLISH_ONLY.has(act);
  if (isForeign) return { text: say.onlyEnglish, isLost: true };
  const read = readFor(act);
  if (read) {
    if (QUESTIONS.has(act)) turn.asked = act;
    return read(scene, request);
  }
  if (act === "plan") return planDay(scene, request, turn);
  if (act === "help") return { text: say.help };
  if (act === "talk") return talk(scene, request);
  if (act === "yes") return { text: say.nothingToConfirm };
  if (act === "no") return { text: turn.state.isWritten ? say.nothingMore : say.notChanged };
  if (act === "other_world") return beyondReach(scene, request);
  const write = writeFor(act);
  // Whether "the other one" changes something depends on what was done before, not on its words.
  const change = isOpen(act) ? 1 : request.change;
  const isLikely = request.share * change >= WORTH_ASKING || isOrder(request.text, act);
  if (!write || !isLikely) return unclear(scene, request);
  const planned = await write(scene, request);
  const refused = lacking(turn, scopesOf(planned));
  if (refused !== null) return { text: refused, isLost: true };
  if (!isPlan(planned)) return planned;
  return gate(turn, scene, request, planned);
}

/** What the tools need that a plan or a question leads to: nobody is asked about what they may not do. */
function scopesOf(planned: Planned): DataScope[] {
  const calls = isPlan(planned)
    ? planned.calls
    : "question" in planned && planned.question
      ? callsOf(planned.question)
      : [];
  return calls.flatMap(({ tool }) => toolByName(tool)?.scopes ?? []);
}

function callsOf(question: ChatQuestion): { tool: string }[] {
  if (question.kind === "which") return question.options;
  return question.kind === "confirm" ? question.calls : [question];
}

/** Requests that are answered in English only. */
const ENGLISH_ONLY: ReadonlySet<Act> = new Set<Act>([
  ...([
    "place",
    "invite",
    "uninvite",
    "note",
    "accept",
    "decline",
    "maybe",
    "read",
    "summarise",
    "star",
    "unstar",
    "archive",
  ] as const),
  ...([
    "inbox",
    "mark_read",
    "mark_unread",
    "tag",
    "untag",
    "snooze",
    "reply",
    "forward",
    "make_tasks",
    "unsubscribe",
  ] as const),
  ...(["write", "ask_mail", "plan"] as const),
]);

/** So many changes are asked about first, and so likely a reading has to be to be asked about. */
const MANY = 4;
const WORTH_ASKING = 0.3;
/** A plain order has to be at least so likely. */
const LIKELY = 0.35;

/**
 * Whether the changes are made. A question, a denial, a condition and a reading that is not sure never change
 * anything: they lead to a question at most.
 */
async function gate(turn: Turn, scene: Scene, request: Request, plan: Plan): Promise<Said> {
  const { calls, isGuess, unknown = [], beyond = [] } = plan;
  const { voice } = scene;
  const about = calls.flatMap(({ input, label, tool }) => recordOf(turn, tool, input, label));
  const veto = request.isKnown ? null : vetoOf(request.text);
  if (veto === "denial") return { text: voice.say.noted, about };
  const isOrdered = request.change >= LIKELY && request.share >= LIKELY && isOrder(request.text, request.act);
  const isWanted = (isSure(request) || isOrdered) && request.isKnown !== false;
  if (isWanted && veto === null && !isGuess) {
    const isMany =
      request.act === "remove"
        ? calls.length > 2 || (calls.length > 1 && (!isSure(request) || request.reference?.which === "all"))
        : calls.length >= MANY;
    if (isMany && request.act !== "add_task" && request.act !== "make_tasks") return askToConfirm(voice, calls, about);
    const said = withUnused(scene, request, await perform(turn, calls), unknown);
    const rest = beyond.map((each) => `“${each}”`).join(", ");
    return rest === "" ? said : { ...said, text: `${said.text}\n\n${voice.say.tooMany(rest)}` };
  }
  return askToConfirm(voice, calls, about);
}

function recordOf(turn: Turn, tool: string, input: Record<string, unknown>, title: string) {
  const id = typeof input.id === "number" ? input.id : null;
  if (id === null) return [];
  const kind = tool.endsWith("_task")
    ? "task"
    : tool.endsWith("_mail") || tool === "unsubscribe"
      ? "email"
      : tool === "delete_draft"
        ? "draft"
        : "event";
  const known = turn.state.groups.flat().find((each) => each.kind === kind && each.id === id);
  const occurrence = typeof input.occurrence === "string" ? { occurrence: input.occurrence } : {};
  return [known ?? ({ kind, id, ...occurrence, title } as const)];
}

/** Names the times and names of a request that were not used, so that nothing is dropped without a word. */
function withUnused({ voice }: Scene, request: Request, said: Said, unknown: readonly string[]): Said {
  const isTimed = TIMED.has(request.act) || request.times.length === 0;
  const unused = [...unknown, ...(isTimed ? [] : request.times.map(({ text }) => text))].map((text) => `“${text}”`);
  return unused.length > 0 ? { ...said, text: `${said.text} ${voice.say.notUsed(unused.join(", "))}` } : said;
}

/** Acts that use the times of a message: to set them, or to find what is meant. */
const TIMED: ReadonlySet<Act> = new Set<Act>([
  ...([
    "add_task",
    "add_event",
    "move",
    "later",
    "earlier",
    "length",
    "longer",
    "shorter",
    "until",
    "repeat",
    "remind",
  ] as const),
  ...(["remove", "accept", "decline", "maybe", "snooze", "pick", "other", "done", "undo", "redo"] as const),
]);
