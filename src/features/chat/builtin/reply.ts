import type { ChatQuestion, ChatState } from "../../../db/schema/chat.ts";
import { hasEnglish, languageIn } from "../../../engine/languages/language.ts";
import { datesIn } from "../../../engine/notes/message-time.ts";
import type { DataScope } from "../../../lib/api-key-scopes.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Language } from "../../../lib/languages.ts";
import { wordSet } from "../../../lib/words.ts";
import { stateAfter } from "../../conversations/state.ts";
import { toolByName } from "../../tools/registry.ts";
import { MAX_WRITES, type Turn } from "../../tools/turn.ts";
import { isOpen, isSure } from "../reader/sure.ts";
import { classesOf } from "../reader/word-classes.ts";
import { answerAndMore, isLimited } from "../request/answers.ts";
import { contentOf, isPlain } from "../request/content.ts";
import { timeSetRight, withoutTakenBack } from "../request/corrections.ts";
import { withoutCourtesies } from "../request/courtesies.ts";
import { exactly, wordsOf } from "../request/exact.ts";
import { isOrder } from "../request/orders.ts";
import { type Conversation, type Request, requestOf } from "../request/request.ts";
import { fixSpelling } from "../request/spelling.ts";
import { isQuestion, vetoOf } from "../request/vetoes.ts";
import { readWishes } from "../request/wishes.ts";
import { readFor, writeFor } from "./acts/index.ts";
import { redrafted } from "./acts/redraft.ts";
import { newTitles } from "./acts/titles.ts";
import { inPlainWords } from "./anchors.ts";
import { addressAnswer } from "./answers/people.ts";
import { planDay } from "./answers/plan-day.ts";
import { lacking } from "./find.ts";
import { inContext, QUESTIONS, toldBefore } from "./follow.ts";
import { grounded } from "./ground.ts";
import { heard } from "./heard.ts";
import { askToConfirm, perform } from "./perform.ts";
import {
  type Asking,
  type Call,
  distinct,
  isPlan,
  isSame,
  lastChange,
  type Plan,
  type Planned,
  type Said,
  type Scene,
} from "./plan.ts";
import { answerProposals } from "./proposals.ts";
import { answerQuestion } from "./question.ts";
import { clockAnswer, isCourtesy, talk } from "./talk.ts";
import { beyondReach, inItsWords, unclear } from "./unclear.ts";
import { voiceOf } from "./words/voice.ts";

/*
 * The reply without a model, in one pass: normalize, read, resolve, gate, tool, reply. Only the person's message can
 * cause an action: text that is read never does.
 */

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
  const redraft = await redrafted(turn, plain);
  if (redraft) return perform(turn, redraft);
  const both = await replyToBoth(turn, plain, question);
  if (both) return both;
  const isSetRight = question !== null || turn.state.isWritten;
  const said = withoutTakenBack((isSetRight && timeSetRight(plain, turn.clock)) || plain, turn.clock);
  const text = await inPlainWords(turn, said);
  const scene: Scene = { sight: turn, voice: voiceOf(turn) };
  const proposed = question ? null : await answerProposals(turn, text);
  if (proposed) return proposed;
  const asked = await requestsIn(turn, text, question);
  const answered = question ? await answerQuestion(turn, text, asked, question) : null;
  if (answered) return answered;
  // What answers no question is read as if none had been asked.
  const requests = question ? await requestsIn(turn, text, null) : asked;
  const known = clockAnswer(scene, text) ?? (await addressAnswer(scene, text));
  if (known) return known;
  return isNonsense(text, requests) && requests[0]
    ? unclear(scene, requests[0], true)
    : replyToAll(turn, scene, requests);
}

/** "Yes, and …", "no, Friday": the answer is taken first, then the rest as if it were a message of its own. */
async function replyToBoth(turn: Turn, message: string, question: ChatQuestion | null): Promise<Said | null> {
  const isAsked = question !== null || turn.state.proposals.length > 0;
  const isWhole = exactly(message, { isAsked, isWritten: turn.state.isWritten }) !== null;
  const answer = isWhole ? null : answerAndMore(message);
  if (!answer || (answer.said === "no" && !isAsked)) return null;
  const { said, rest, isParted } = answer;
  if (!isAsked || said === "soft yes" || (said === "no" && question)) return replyTo(turn, rest, question);
  const wasUntrusted = turn.hasReadUntrusted;
  const first = await (question ? answerQuestion(turn, "yes", [], question) : answerProposals(turn, said));
  if (!first) return replyTo(turn, rest, question);
  const isMore =
    said === "no" || isParted || contentOf(rest) !== "" || isQuestion(rest) || datesIn(rest, turn.clock).length > 0;
  if (!isMore) return first;
  if ("question" in first && first.question) return together([first, { text: voiceOf(turn).say.sayAgain(rest) }]);
  Object.assign(turn.state, stateAfter(turn));
  turn.written.length = 0;
  turn.shown = [];
  // What the answer has read is no part of what follows, as it would not be in the next message.
  const hasRead = turn.hasReadUntrusted;
  turn.hasReadUntrusted = wasUntrusted;
  try {
    return together([first, await replyTo(turn, rest, null)]);
  } finally {
    turn.hasReadUntrusted ||= hasRead;
  }
}

/** What the message wants, given the records and the conversation. */
async function requestsIn(turn: Turn, text: string, question: ChatQuestion | null): Promise<Request[]> {
  const wishes = readWishes(text, contextOf(turn.state, question), turn.clock);
  const conversation = conversationOf(turn, question);
  const place = { isAsked: conversation.isAsked, isOnly: wishes.length === 1 };
  const requests: Request[] = [];
  for (const wish of wishes) {
    const plain = requestOf(text, wish, conversation);
    const read = await toldBefore(turn, plain, requests.at(-1));
    if (read !== plain) requests.pop();
    const followed = await inContext(turn, read, place);
    requests.push(followed === read ? await heard(turn, read) : followed);
  }
  return requests;
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
  // What a question goes on from is answered with it: "Petersen has mailed. What does he want?"
  const isTold = (each: Request, at: number) =>
    requests.slice(at + 1).some(({ recalled }) => recalled) && !isSure(each) && !isOrder(each.text, each.act);
  const asking = isOne ? requests : requests.filter((each, at) => isAsking(each) && !isTold(each, at));
  const surest = requests.toSorted((a, b) => b.share - a.share).slice(0, 1);
  const joined = joinedQuestions(asking.length > 0 ? asking : surest);
  // After an email is read, all else is only proposed: what is made of one comes last.
  const isOfEmail = ({ act, about }: Request) => act === "add_event" && about?.kind === "email";
  const meant = [...joined.filter((each) => !isOfEmail(each)), ...joined.filter(isOfEmail)];
  const replies: Said[] = [];
  let before = 0;
  for (const [at, request] of meant.slice(0, MAX_WRITES).entries()) {
    // A later wish may refer to what an earlier one was about.
    const about = replies.at(-1)?.about;
    const latest = turn.written.length > before ? turn.written.slice(before) : about;
    before = turn.written.length;
    if (at > 0 && latest && latest.length > 0) turn.state.groups.unshift(latest);
    const last = turn.written.at(-1);
    // "… for marking, and a further two hours on Sunday": another one of what was just added.
    const isMore = request.act === "add_event" && last?.kind === "event" && newTitles(request).length === 0;
    const said = await replyToOne(
      turn,
      scene,
      isMore && !contentOf(request.rest) ? { ...request, copyOf: last } : request,
    );
    replies.push(said);
    const rest = meant.slice(at + 1).map((each) => each.text.replace(/^(?:and|then|und|dann|et|puis|y|luego) /i, ""));
    if ("question" in said && said.question && rest.length > 0) {
      // What only reads need not wait for the answer.
      const next = meant[at + 1];
      if (next?.recalled && rest.length === 1) replies.unshift(await replyToOne(turn, scene, next));
      else replies.push({ text: scene.voice.say.sayAgain(rest.join(" ")) });
      break;
    }
  }
  const beyond = meant.slice(MAX_WRITES).map((each) => `“${each.text}”`);
  if (beyond.length > 0) replies.push({ text: scene.voice.say.tooMany(beyond.join(", ")) });
  return together(replies);
}

/** Questions of one message about the same records have one answer. */
function joinedQuestions(requests: readonly Request[]): Request[] {
  const joined: Request[] = [];
  for (const request of requests) {
    const [before, now] = [joined.at(-1)?.recalled, request.recalled];
    const last =
      before && now?.some((record) => before.some((each) => isSame(each, record))) ? joined.pop() : undefined;
    const recalled = distinct([...(last && before ? before : []), ...(now ?? [])]);
    joined.push(last ? { ...last, text: `${last.text} ${request.text}`, recalled } : request);
  }
  return joined;
}

const ASIDE = wordSet("talk quiet yes no other_world");

/** What surely asks for something that cannot be done is said to be so. */
const isAsking = ({ act, share }: Request) => !ASIDE.has(act) || (act === "other_world" && share > 0.6);

function together(replies: readonly Said[]): Said {
  const question = replies.flatMap((said) => ("question" in said && said.question ? [said.question] : []))[0];
  const about = replies.flatMap((said) => said.about ?? []);
  const suggestions = replies.flatMap((said) => said.suggestions ?? []);
  const isLost = replies.length > 0 && replies.every((said) => said.isLost);
  const all = [...new Set(replies.map(({ text }) => text).filter((text) => text !== ""))];
  const texts = all.filter((text) => !all.some((other) => other !== text && other.includes(text)));
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
    return inItsWords(scene, request, await read(scene, request));
  }
  if (act === "plan") return planDay(scene, request, turn);
  if (act === "help") return { text: say.help };
  // "You are a treasure, now I had better go": only a short yes waits for something to be done.
  const isYes = act === "yes" && !isCourtesy(request.text) && wordsOf(request.text).length <= LONGEST_YES;
  if (isYes) return { text: say.nothingToConfirm };
  if (act === "talk" || act === "yes") return talk(scene, request);
  if (act === "no") return { text: turn.state.isWritten ? say.nothingMore : say.notChanged };
  if (act === "other_world") {
    const said = await beyondReach(scene, request);
    return "question" in said && lacking(turn, scopesOf(said)) !== null ? { text: say.cannot } : said;
  }
  const confirmed = act === "send" && sendsShown(turn, request) ? await answerProposals(turn, "send") : null;
  if (confirmed) return confirmed;
  const write = writeFor(act);
  // Whether "the other one" changes something depends on what was done before, not on its words.
  const change = isOpen(act) ? 1 : request.change;
  const isLikely = request.share * change >= WORTH_ASKING || isOrder(request.text, act);
  if (!write || !isLikely) return unclear(scene, request);
  const planned = await write(scene, request);
  const refused = lacking(turn, scopesOf(planned));
  if (refused !== null) return { text: refused, isLost: true };
  if (!isPlan(planned)) return inItsWords(scene, request, planned);
  return gate(turn, scene, request, planned);
}

/** "Good, send it off", about the draft that the last reply has shown: it is a yes, and asks for nothing else. */
function sendsShown({ state }: Turn, { text, slots, times, share }: Request): boolean {
  const isShown = state.groups[0]?.[0]?.kind === "draft" && state.proposals.length === 1;
  const words = wordsOf(text);
  const isOnlySend = slots.length === 0 && times.length === 0 && words.length <= LONGEST_SEND && !isLimited(words);
  return isShown && isOnlySend && share > 0.5 && vetoOf(text) === null && !isQuestion(text);
}

const LONGEST_SEND = 9;

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

const LONGEST_YES = 5;

/** Requests that are answered in English only. */
const ENGLISH_ONLY = wordSet(
  "place invite uninvite note accept decline maybe read summarise star unstar archive inbox mark_read mark_unread tag untag snooze reply forward make_tasks unsubscribe write ask_mail plan",
);

/** So many changes are asked about first, and so likely a reading has to be to be asked about. */
const MANY = 4;
const WORTH_ASKING = 0.3;
const LETTERS = wordSet("reply write forward");
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
  // "Strike the books; I returned them": said once more.
  const isDone = ({ tool, input }: Call) =>
    turn.actions.some((made) => made.tool === tool && made.input.id === input.id);
  if (turn.actions.length > 0 && request.act === "done" && calls.every(isDone)) return { text: "", about };
  const veto = request.isKnown ? null : vetoOf(request.text);
  if (veto === "denial") return { text: voice.say.noted, about };
  const isOrdered = request.change >= LIKELY && request.share >= LIKELY && isOrder(request.text, request.act);
  // A draft changes nothing for anybody: it is shown, and asked about.
  const isLetter = [request, ...request.others].reduce(
    (sum, { act, share }) => sum + (LETTERS.has(act) ? share : 0),
    0,
  );
  const isDraft = isLetter > 0.5 && request.change > 0.5 && calls.every(({ tool }) => tool === "draft_mail");
  const isWanted = (isSure(request) || isOrdered || isDraft) && request.isKnown !== false;
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
const TIMED = wordSet(
  "add_task add_event move later earlier length longer shorter until repeat remind remove accept decline maybe snooze pick other done undo redo",
);
