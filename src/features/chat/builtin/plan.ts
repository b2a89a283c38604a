import type { ChatOption, ChatQuestion, ChatRecord, ChatState } from "../../../db/schema/chat.ts";
import { assertType } from "../../../lib/cast.ts";
import type { ReadingTool, WritingTool } from "../../../lib/chat-tools.ts";
import { getEvent } from "../../calendar/events/service.ts";
import type { EventView } from "../../tools/calendar.ts";
import type { Turn } from "../../tools/turn.ts";
import type { Voice } from "./words/voice.ts";

/** What a handler sees: it can look things up, and has no way to a tool that writes. */
export type Sight = Pick<
  Turn,
  "ctx" | "timeZone" | "clock" | "state" | "language" | "showsReceipts" | "look" | "conversationId"
> & {
  hasReadUntrusted: boolean;
};

export interface Scene {
  sight: Sight;
  voice: Voice;
}

type Option<Tool extends string> = ChatOption & { tool: Tool };

/** A reply to a question. What it asks in turn can only lead to reading tools. */
export interface Answer {
  text: string;
  /** What the reply is about, in the order in which it names it. */
  about?: ChatRecord[];
  question?: { kind: "which"; options: Option<ReadingTool>[] };
  /** Messages that the person may want to send next. */
  suggestions?: string[];
  /** Nothing was understood or found. */
  isLost?: true;
}

/** A tool call that would make a change, and the words for what it is about. */
export interface Call {
  tool: WritingTool;
  input: Record<string, unknown>;
  label: string;
}

/** The changes that a request asks for. Nobody has made them yet. */
export interface Plan {
  calls: Call[];
  /** The record was found by a part of its name: the person is asked first. */
  isGuess?: true;
  /** Names of the request that nothing has. */
  unknown?: string[];
  /** What is too much for one message. */
  beyond?: string[];
}

/** A question that has to be answered before anything is changed. */
export interface Asking extends Omit<Answer, "question"> {
  question: ChatQuestion;
}

export type Said = Answer | Asking;
export type Planned = Plan | Said;

export const isPlan = (planned: Planned): planned is Plan => "calls" in planned;

/** What a reading tool returned, or the answer that says why it returned nothing. */
export async function lookUp<Result extends object>(
  { sight }: Scene,
  tool: ReadingTool,
  input: Record<string, unknown>,
): Promise<Result | Answer> {
  const outcome = await sight.look(tool, input);
  if (outcome.status === "done") return assertType<Result>(outcome.result);
  return { text: "message" in outcome ? outcome.message : "" };
}

export const refOf = ({ id, occurrence }: { id: number; occurrence?: string | null | undefined }) => ({
  id,
  ...(occurrence && { occurrence }),
});

const own = (outside: boolean) => (outside ? {} : { isOwn: true as const });

/** What is known of a record from now on. */
export const taskRecord = ({ id, title, outside }: { id: number; title: string; outside: boolean }): ChatRecord => ({
  kind: "task",
  id,
  title,
  ...own(outside),
});
export const eventRecord = (event: Pick<EventView, "id" | "occurrence" | "title" | "outside">): ChatRecord => ({
  kind: "event",
  ...refOf(event),
  title: event.title,
  ...own(event.outside),
});
export const emailRecord = ({ id, subject }: { id: number; subject: string }): ChatRecord => ({
  kind: "email",
  id,
  title: subject,
});

/** The event of a record, on the date that is meant. */
export const eventOf = ({ ctx }: Pick<Sight, "ctx">, { id, occurrence }: ChatRecord) =>
  getEvent(ctx, id, occurrence ? new Date(occurrence) : undefined);

/** The one that there is; undefined if there are none or several. */
export const onlyOf = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined);

export function isSame(a: ChatRecord, b: ChatRecord): boolean {
  return a.kind === b.kind && a.id === b.id && a.occurrence === b.occurrence && a.start === b.start;
}

export function distinct(records: readonly ChatRecord[]): ChatRecord[] {
  return records.filter((record, at) => records.findIndex((each) => isSame(each, record)) === at);
}

/** The last change to a record that was there, which can be made to another one. */
export const lastChange = ({ act }: ChatState): ChatState["act"] =>
  act && !act.tool.startsWith("create_") ? act : null;
