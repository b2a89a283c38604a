import { type Context, requireScopes, timeZoneOf } from "../../../context.ts";
import { BUILTIN_ENGINE } from "../../../lib/ai-kinds.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { MAX_PLANNED } from "../../../lib/task-kinds.ts";
import { lowerBound, MINUTE_MS, upperBound } from "../../../lib/time-zone.ts";
import { type Planned, planTasks } from "../../planning/service.ts";
import { storeExchange } from "../conversations.ts";
import { NO_STATE } from "../state.ts";
import { previewSchedules } from "../tools/preview.ts";
import { Turn } from "../turn.ts";
import type { PlanInput, PlanResult } from "./schemas.ts";

const REASON = "This is a plan you asked for. Apply it to reserve the time in your calendar.";

/** The input of the tool that carries out a part of a plan. */
export function scheduleInput({ task, start, end }: Pick<Planned, "start" | "end"> & { task: { id: number } }) {
  const durationMinutes = Math.round((end.getTime() - start.getTime()) / MINUTE_MS);
  return { id: task.id, start: start.toISOString(), durationMinutes };
}

/** Proposes times for tasks. Nothing is changed before a person applies a proposal. */
export async function proposePlan(ctx: Context, input: PlanInput): Promise<PlanResult> {
  requireScopes(ctx, ["tasks:read", "calendar:read"]);
  const { timeZone = timeZoneOf(ctx), from, to, limit = MAX_PLANNED, ...rest } = input;
  const window = { from: lowerBound(timeZone, from), to: upperBound(timeZone, to) };
  const plan = await planTasks(ctx, { ...rest, ...window, timeZone, limit });
  const turn = new Turn(ctx, timeZone);
  const planned: PlanResult["planned"] = [];
  const previews = await previewSchedules(turn, plan.planned);
  for (const [index, each] of plan.planned.entries()) {
    const preview = previews[index];
    if (!preview) continue;
    const { id: proposalId, summary } = turn.suggest("schedule_task", scheduleInput(each), preview, REASON);
    const times = { start: each.start.toISOString(), end: each.end.toISOString() };
    planned.push({ taskId: each.task.id, title: each.task.title, ...times, proposalId, summary });
  }
  turn.hasReadUntrusted = true;
  const conversation = { id: randomToken(), isNew: true, question: null, state: NO_STATE, history: [] };
  const reply = `${counted(planned.length, "task")} planned. Apply the proposals you want.`;
  const exchange = { message: "Plan my tasks", reply, engine: BUILTIN_ENGINE, question: null };
  await storeExchange(ctx, conversation, turn, exchange);
  return {
    conversationId: conversation.id,
    timeZone,
    from: plan.from.toISOString(),
    to: plan.to.toISOString(),
    planned,
    unplanned: plan.unplanned.map(({ task, reason }) => ({ taskId: task.id, title: task.title, reason })),
  };
}
