import type { ChatOption, ChatQuestion } from "../../../db/schema/chat.ts";
import { datesIn as timesOf } from "../../../engine/notes/message-time.ts";
import { eventSlots, taskSlots } from "../../../engine/notes/slots.ts";
import { ADDRESSES } from "../../../lib/text.ts";
import { dateOf, toInstant, toWall, wallDay } from "../../../lib/time-zone.ts";
import { wordSet } from "../../../lib/words.ts";
import { recordsIn } from "../../conversations/state.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { isSure } from "../reader/sure.ts";
import { contentOf } from "../request/content.ts";
import { onlySetsRight } from "../request/corrections.ts";
import { exactly, remindsOfNew, wordsOf } from "../request/exact.ts";
import { orderIn } from "../request/orders.ts";
import { isReferring, referenceIn, referred } from "../request/reference.ts";
import { type Request, slotsOf } from "../request/request.ts";
import { minutesIn, momentOf, spanOf } from "../request/times.ts";
import { isQuestion, vetoOf } from "../request/vetoes.ts";
import { dueInput } from "./acts/add.ts";
import { letter } from "./acts/mail.ts";
import { movedTo } from "./acts/retime.ts";
import { isTitle, newTitles, tidy } from "./acts/titles.ts";
import { whenIs } from "./anchors.ts";
import { showEmail } from "./answers/mail.ts";
import { perform, removeMany, removesMany } from "./perform.ts";
import type { Said, Scene } from "./plan.ts";
import { voiceOf } from "./words/voice.ts";

/** Acts that may be an answer. A message that was surely read as another one asks for something of its own. */
const ANSWERS: ReadonlySet<string> = new Set(["pick", "answer", "other", "yes", "no", "talk", "quiet", "other_world"]);

/** A message with its own verb, or with its own subject and time, answers nothing. */
function isOwnRequest(request: Request): boolean {
  if (ANSWERS.has(request.act)) return false;
  const hasSubject = [...request.names, ...slotsOf(request, "n")].some((name) => tellingWords(name).length > 0);
  return (isSure(request) && request.share > 0.6) || (hasSubject && request.times.length > 0);
}

/** Whether a message is no answer to "what?": what is to be added may well have a subject and a time. */
function isOther(request: Request, tool: string): boolean {
  const isPointing = tool.startsWith("create_") && request.reference !== null && !isReferring(request.text);
  if (request.act.startsWith("ask_") || isPointing) return true;
  const isNew = tool.startsWith("create_") && (request.act === "add_task" || request.act === "add_event");
  return isNew ? orderIn(request.text) !== null || remindsOfNew(request.text) : isOwnRequest(request);
}

/** The reply, if the message answers the open question; null if it is about something else. */
export async function answerQuestion(
  turn: Turn,
  text: string,
  requests: readonly Request[],
  question: ChatQuestion,
): Promise<Said | null> {
  const voice = voiceOf(turn);
  const exact = exactly(text, { isAsked: true, isWritten: false });
  if (exact === "no") return { text: voice.say.notChanged };
  if (exact === "yes" && question.kind === "confirm") return performConfirmed(turn, question.calls);
  const [request, ...others] = requests;
  const offered = question.kind === "confirm" && requests.length === 2 ? requests.at(-1) : undefined;
  if (question.kind === "confirm" && offered && question.calls[0]?.tool === "create_task")
    return amended(turn, offered, question.calls);
  if (!request || (others.length > 0 && question.kind !== "what")) return null;
  switch (question.kind) {
    case "which":
      return answerWhich(turn, text, request, question.options);
    case "confirm":
      return amended(turn, request, question.calls);
    case "address": {
      const [address] = text.match(ADDRESSES) ?? [];
      const input = { ...question.input, addAttendees: [address?.toLowerCase()] };
      return address ? perform(turn, [{ tool: question.tool, input, label: question.name }]) : null;
    }
    case "when":
      return answerWhen(turn, request, question);
    case "what":
      return requests.some((each) => isOther(each, question.tool)) ? null : answerWhat(turn, text, request, question);
  }
}

/** "Make it 45 minutes", "no, Friday at 6", about what was offered: it is done so. */
async function amended(turn: Turn, request: Request, calls: readonly ChatOption[]): Promise<Said | null> {
  const [call, ...others] = calls;
  if (!call || others.length > 0) return null;
  if (call.tool === "create_task") return taskWith(turn, request, call);
  if (request.names.length > 0 || isQuestion(request.text)) return null;
  if (slotsOf(request, "n").length > 0 || !onlySetsRight(request.rest)) return null;
  const moment = momentOf(request.times, turn.clock);
  const isMove = call.tool === "move_event" || (call.tool === "update_task" && call.input.dueAt !== undefined);
  const [record] = isMove ? recordsIn(call.tool, { ...call.input, title: call.label }, turn.state) : [];
  if (record && moment) return perform(turn, (await movedTo(turn, record, moment)).calls);
  if (call.tool !== "create_event") return null;
  const { end, ...rest } = call.input;
  const minutes = minutesIn(request.times);
  const start = typeof rest.start === "string" ? rest.start : null;
  if (minutes !== null && moment === null) return create(turn, { ...rest, durationMinutes: minutes });
  if (!moment || start === null || rest.allDay) return null;
  const wall = new Date(toWall(turn.timeZone, Date.parse(start))).toISOString();
  const at = instantOf(turn, moment.day ?? wall.slice(0, 10), moment.time ?? wall.slice(11, 16));
  const length = typeof end === "string" ? { durationMinutes: (Date.parse(end) - Date.parse(start)) / 60_000 } : {};
  return create(turn, { ...rest, ...length, start: at.toISOString() });
}

const ASKS_FOR_TASK = wordSet("add_task add_event remind move later answer");

/** "Then put it down for 6", about a task that was offered: it is added so. */
async function taskWith(turn: Turn, request: Request, { tool, input, label }: ChatOption): Promise<Said | null> {
  const isOwn = request.names.length > 0 || newTitles(request).length > 0;
  const isOfTask = request.reference !== null || request.kind === "task" || request.act === "answer";
  if (!ASKS_FOR_TASK.has(request.act) || isOwn || !isOfTask || vetoOf(request.text) !== null) return null;
  const { due } = taskSlots(request.text, turn.clock);
  return perform(turn, [{ tool, input: { ...input, ...(due && dueInput(turn, due)) }, label }]);
}

/** What a person has confirmed need not be proposed again. What follows from it, such as sending a draft, was not confirmed. */
async function performConfirmed(turn: Turn, calls: readonly ChatOption[]): Promise<Said> {
  const isConfirmed = (name: string) => calls.some(({ tool }) => tool === name);
  const call = (name: string, input: unknown) =>
    isConfirmed(name) ? turn.callConfirmed(name, input) : turn.call(name, input);
  const confirmed = Object.create(turn, { call: { value: call } });
  return removesMany(calls) ? removeMany(confirmed, calls) : perform(confirmed, calls);
}

async function answerWhich(
  turn: Turn,
  text: string,
  request: Request,
  options: readonly ChatOption[],
): Promise<Said | null> {
  const reference = referenceIn(text) ?? request.reference;
  const isAll = reference?.which === "all" || (reference?.which === "both" && options.length === 2);
  if (isAll && !isOwnRequest(request)) return perform(turn, options);
  const byPlace = reference && typeof reference.which === "object" ? referred(reference, options) : null;
  const chosen =
    (byPlace && !isOwnRequest(request) ? byPlace[0] : undefined) ??
    byName(text, request, options) ??
    (await byTime(turn, request, options));
  if (!chosen) return null;
  // The others can still be meant by "the other one".
  turn.offered(options);
  if (chosen.tool === "read_mail") {
    const scene: Scene = { sight: turn, voice: voiceOf(turn) };
    return showEmail(scene, { kind: "email", id: Number(chosen.input.id), title: chosen.label });
  }
  return perform(turn, [chosen]);
}

const LONGEST_ANSWER = 8;

function byName(text: string, request: Request, options: readonly ChatOption[]): ChatOption | undefined {
  const isShort = wordsOf(text).length <= LONGEST_ANSWER;
  if (!isShort || isOwnRequest(request)) return undefined;
  const words = request.names.length > 0 ? request.names.join(" ") : text;
  if (tellingWords(words).length === 0) return undefined;
  const named = bestMatches(words, options, ({ label }) => [label]);
  return named.length === 1 ? named[0] : undefined;
}

const PART_ONE = /\b(?:the )?(morning|afternoon|evening)(?: ones?)?\b/i;

/** "the one at 3", "the Friday one", "the afternoon one": the only option that is then. */
async function byTime(turn: Turn, request: Request, options: readonly ChatOption[]): Promise<ChatOption | undefined> {
  if (isOwnRequest(request)) return undefined;
  const found =
    request.times.length > 0 ? request.times : timesOf(request.text.replace(PART_ONE, "in the $1"), turn.clock);
  const moment = momentOf(found, turn.clock);
  const span = spanOf(found, turn.clock);
  if (!moment || !span) return undefined;
  const [from = "", to = ""] = [span.start, span.end].map((at) =>
    new Date(toWall(turn.timeZone, at.getTime())).toISOString().slice(11, 16),
  );
  const isHour = (start: string) => !span.isClock || (span.isPoint ? start === from : start >= from && start < to);
  const fitting: ChatOption[] = [];
  for (const option of options) {
    const [record] = recordsIn(option.tool, { ...option.input, title: "" }, turn.state);
    const then = record?.kind === "event" ? await whenIs(turn, record) : null;
    if (then && isHour(then.start ?? "") && (moment.day ?? then.day) === then.day) fitting.push(option);
  }
  return fitting.length === 1 ? fitting[0] : undefined;
}

type When = ChatQuestion & { kind: "when" };

/** A day, a time, or both, for what was asked about. */
async function answerWhen(turn: Turn, request: Request, question: When): Promise<Said | null> {
  const { say } = voiceOf(turn);
  const { tool, input, day, time, span } = question;
  const clock = span ? within(turn, span) : turn.clock;
  const isAnswer =
    request.act === "answer" ||
    request.act === "pick" ||
    !isOwnRequest(request) ||
    (request.names.length === 0 &&
      slotsOf(request, "n").length === 0 &&
      request.act !== "ask_day" &&
      request.act !== "ask_free");
  // A sentence of its own is no answer: "I think she wants to eat half an hour later, have a look".
  const isTold = wordsOf(request.rest).length > LONGEST_ANSWER && contentOf(request.rest) !== "";
  if (!isAnswer || isTold) return null;
  const moment = momentOf(span ? timesOf(request.text, clock) : request.times, clock);
  if (!moment) return request.act === "answer" ? { text: say.noTimeFound, question } : null;
  if (tool !== "create_event") {
    const [record] = recordsIn(tool, { ...input, title: "" }, turn.state);
    if (!record) return null;
    const { calls } = await movedTo(turn, record, moment);
    return perform(turn, calls);
  }
  const slots = eventSlots(request.text, clock);
  const date = moment.day ?? day;
  const title = typeof input.title === "string" ? input.title : "";
  const hour = hourFor(turn, title, request.text, moment.time) ?? time ?? null;
  const length = {
    ...(slots.durationMinutes && { durationMinutes: slots.durationMinutes }),
    ...(slots.rrule && { rrule: slots.rrule }),
  };
  if (hour === null && date !== null && /\b(?:all|whole)[- ]day\b|ganztägig/i.test(request.text))
    return create(turn, { ...input, start: date, allDay: true });
  if (hour === null) {
    const shown = voiceOf(turn).day(Date.parse(`${date}T12:00:00Z`));
    return { text: say.askTime(shown), question: { ...question, day: date, input: { ...input, ...length } } };
  }
  const start = instantOf(turn, date ?? dateOf(toWall(turn.timeZone, moment.at.getTime())), hour);
  if (start < turn.ctx.now) return { text: say.past, question };
  const end = moment.end && {
    end: new Date(start.getTime() + (moment.end.getTime() - moment.at.getTime())).toISOString(),
  };
  const { durationMinutes: _, ...rest } = input;
  return create(turn, { ...(end ? rest : input), title, ...length, start: start.toISOString(), ...end });
}

const instantOf = ({ timeZone }: Turn, day: string, time: string) =>
  new Date(toInstant(timeZone, Date.parse(`${day}T${time}Z`)));

/** "7:30", of a dinner, is in the evening. */
function hourFor({ clock, timeZone }: Turn, title: string, text: string, time: string | null): string | null {
  const start = time === null ? null : eventSlots(`${title} ${text}`, clock).start;
  const said = start && new Date(toWall(timeZone, start.getTime())).toISOString().slice(11, 16);
  const isOtherHalf = said && time && Math.abs(Number(said.slice(0, 2)) - Number(time.slice(0, 2))) === 12;
  return isOtherHalf && said.slice(3) === time.slice(3) ? said : time;
}

const create = (turn: Turn, input: Record<string, unknown>) =>
  perform(turn, [{ tool: "create_event", input, label: `${input.title}` }]);

/** A weekday as an answer to "which day next week?" is one of that week. */
function within({ clock, timeZone }: Turn, words: string): Turn["clock"] {
  const start = spanOf(timesOf(words, clock), clock)?.start;
  return start
    ? { ...clock, reference: new Date(toInstant(timeZone, wallDay(toWall(timeZone, start.getTime())))) }
    : clock;
}

type What = ChatQuestion & { kind: "what" };

/** A title, perhaps with a time, or the text of an email. */
async function answerWhat(turn: Turn, text: string, request: Request, { tool, input }: What): Promise<Said | null> {
  if (tool === "draft_mail") {
    const said = slotsOf(request, "m").join(" ") || text;
    const letterInput = input.replyTo === undefined ? letter(input, said) : { ...input, say: said };
    return perform(turn, [{ tool, input: letterInput, label: said }]);
  }
  const named = slotsOf(request, "n").map(tidy)[0];
  if (tool === "create_task") {
    const { title, due, rule } = taskSlots(text, turn.clock);
    const name = named ?? tidy(title || text);
    if (!isTitle(name)) return null;
    const repeated = rule && { rrule: rule.rrule, repeatFrom: rule.from };
    return perform(turn, [
      { tool, input: { ...(due && dueInput(turn, due)), ...repeated, ...input, title: name }, label: name },
    ]);
  }
  const slots = eventSlots(text, turn.clock);
  const said = named ?? tidy(tool === "create_event" ? slots.title || text : text);
  // "With Susan about the budget", of "a meeting".
  const name =
    tool === "create_event" && /^(?:with|about) /i.test(text)
      ? `Meeting ${text.slice(0, 1).toLowerCase()}${said.slice(1)}`
      : said;
  if (!isTitle(name)) return null;
  if (tool === "create_event" && input.start === undefined) {
    if (!slots.start) {
      const { say } = voiceOf(turn);
      return {
        text: say.askWhen(name),
        question: { kind: "when", tool, input: { ...input, title: name }, day: slots.day },
      };
    }
    return create(turn, { ...input, title: name, start: slots.start.toISOString() });
  }
  return perform(turn, [{ tool, input: { ...input, title: name }, label: name }]);
}
