import * as z from "zod";
import type { Connection, Context } from "../../../context.ts";
import type { DataScope } from "../../../lib/api-key-scopes.ts";
import { assertType } from "../../../lib/cast.ts";
import { endOfDate, offsetAt, toWall, weekdayOf } from "../../../lib/time-zone.ts";
import { instantOf, Moment } from "../moment.ts";
import type { Fence } from "./fence.ts";

/** One request of an agent. */
export interface AgentCall {
  ctx: Context;
  timeZone: string;
  connection: Connection;
  fence: Fence;
}

type Json = Record<string, unknown>;

/** What a tool does to the person's records. Only writes to them become proposals. */
export type Effect = "reads" | "creates" | "changes" | "drafts";

/** How agents see a tool: in few words, with strict input, and with other people's words between marks. */
export type AgentFace = Shape & (Answering | Writing);

interface Shape {
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
}

interface Answering {
  effect: "reads" | "drafts";
  run(call: AgentCall, input: Json): Promise<Json>;
}

/** A write is made, or proposed, as the chat makes it. */
export interface Writing {
  effect: "creates" | "changes";
  /** The input of the tool itself. */
  toInput(call: AgentCall, input: Json): Promise<Json>;
  /** Its result for agents. */
  show(call: AgentCall, result: Json, input: Json): Promise<Json>;
}

export type AgentTool = AgentFace & {
  name: string;
  /** Every scope that it needs; of `anyOf`, one. */
  scopes: readonly DataScope[];
  anyOf?: true;
};

interface Words {
  title: string;
  description: string;
}

/** Checks input and result types where the tool is written, and removes them so that a list can hold all tools. */
export function agentRead<Input extends z.ZodObject, Output extends z.ZodObject>(
  face: Words & {
    effect?: Answering["effect"];
    input: Input;
    output: Output;
    run(call: AgentCall, input: z.output<Input>): Promise<z.input<Output>>;
  },
): AgentFace {
  return assertType<AgentFace>({ effect: "reads", ...face });
}

const Proposal = z.object({ id: z.string(), url: z.string(), note: z.string(), expiresInHours: z.int() });
export const requestId = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .optional();
const version = z.int().positive().optional();

/** The same for a write: of a record that exists if its input has an `id`. */
export function agentWrite<Input extends z.ZodObject, Shown extends z.ZodObject>(
  face: Words & {
    input: Input;
    shown: Shown;
    toInput?(call: AgentCall, input: z.output<Input>): Promise<Json>;
    show(call: AgentCall, result: Json, input: z.output<Input>): Promise<z.input<Shown>>;
  },
): AgentFace {
  const isChange = "id" in face.input.shape;
  return assertType<AgentFace>({
    toInput: async (_: AgentCall, input: Json) => input,
    ...face,
    effect: isChange ? "changes" : "creates",
    input: face.input.extend({ ...(isChange && { version }), requestId }),
    output: z.object({ status: z.enum(["done", "proposed"]), proposal: Proposal.optional(), ...face.shown.shape }),
  });
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

export const Time = z.object({ at: z.string(), weekday: z.string(), zone: z.string() });

/** A time with its offset, zone and weekday: models are bad at working these out. */
export function timeIn(zone: string, instant: number | string): z.infer<typeof Time> {
  const ms = typeof instant === "number" ? instant : Date.parse(instant);
  const wall = toWall(zone, ms);
  const minutes = Math.round(offsetAt(zone, ms) / 60_000);
  const clock = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  const at = `${new Date(wall).toISOString().slice(0, 19)}${minutes < 0 ? "-" : "+"}${clock}`;
  return { at, weekday: WEEKDAYS[weekdayOf(wall) - 1] ?? "", zone };
}

export const timeOrNull = (zone: string, instant: string | null) => (instant === null ? null : timeIn(zone, instant));

export const Id = z.int().positive();
export const Cursor = z.string().max(2000).optional();
/** Answers stay small enough for every client, so pages do. */
export const Limit = z.int().min(1).max(20).default(10);
/** As in the API: a time with an offset, or a date. */
export const When = Moment;

export const since = (call: AgentCall, text: string) => instantOf(text, call.timeZone);
/** A date includes the whole day. */
export const until = (call: AgentCall, text: string) =>
  text.length === 10 ? new Date(endOfDate(call.timeZone, text)) : instantOf(text, call.timeZone);

/** Without the members that are undefined. */
export function given<Members extends object>(members: Members) {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return assertType<{ [Name in keyof Members]?: Exclude<Members[Name], undefined> }>(Object.fromEntries(present));
}
