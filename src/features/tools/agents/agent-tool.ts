import * as z from "zod";
import type { Connection, Context } from "../../../context.ts";
import type { DataScope } from "../../../lib/api-key-scopes.ts";
import { assertType } from "../../../lib/cast.ts";
import { offsetAt, toWall, weekdayOf } from "../../../lib/time-zone.ts";
import type { Fence } from "./fence.ts";

/** One request of an agent. */
export interface AgentCall {
  ctx: Context;
  timeZone: string;
  connection: Connection;
  fence: Fence;
}

/** What a tool does to the person's records. Only writes to them become proposals. */
export type Effect = "reads" | "creates" | "changes" | "drafts";

export interface AgentTool {
  name: string;
  title: string;
  description: string;
  effect: Effect;
  /** Every scope that it needs; of `anyOf`, one. */
  scopes: readonly DataScope[];
  anyOf?: true;
  isDestructive?: true;
  input: z.ZodObject;
  output: z.ZodObject;
  run(call: AgentCall, input: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** Checks input and result types where the tool is written, and removes them so that a list can hold all tools. */
export function agentTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<AgentTool, "input" | "output" | "run"> & {
    input: Input;
    output: Output;
    run(call: AgentCall, input: z.output<Input>): Promise<z.input<Output>>;
  },
): AgentTool {
  return assertType<AgentTool>(tool);
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
export const RequestIdInput = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .optional();
export const VersionInput = z.int().positive().optional();
export const Cursor = z.string().max(2000).optional();
/** Answers stay small enough for every client, so pages do. */
export const Limit = z.int().min(1).max(20).default(10);
/** As in the API: a time with an offset, or a date. */
export const When = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
