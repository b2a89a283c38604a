import { type Context, requireScopes, timeZoneOf } from "../../context.ts";
import { BUILTIN_ENGINE } from "../../lib/ai-kinds.ts";
import { quoted } from "../../lib/quoted.ts";
import { counted, exactSpeakerFor } from "../../lib/spoken-time.ts";
import { MAX_PLANNED } from "../../lib/task-kinds.ts";
import { lowerBound, MINUTE_MS, upperBound } from "../../lib/time-zone.ts";
import { newProposal, type Preview } from "../conversations/proposals.ts";
import { newConversation, storeExchange } from "../conversations/service.ts";
import { NOTHING_DONE } from "../conversations/state.ts";
import { timeFormatOf } from "../profile/service.ts";
import type { PlanInput, PlanResult } from "./schemas.ts";
import { type Planned, planTasks } from "./service.ts";

const REASON = "This is a plan you asked for. Apply it to reserve the time in your calendar.";

/** The input of the tool `schedule_task`, which carries out a part of a plan. */
export function scheduleInput({ task, start, end }: Pick<Planned, "start" | "end"> & { task: { id: number } }) {
  const durationMinutes = Math.round((end.getTime() - start.getTime()) / MINUTE_MS);
  return { id: task.id, start: start.toISOString(), durationMinutes };
}

/** What that tool would do. */
export async function previewSchedules(
  { ctx, timeZone }: { ctx: Context; timeZone: string },
  list: readonly Planned[],
): Promise<Preview[]> {
  const { span } = exactSpeakerFor(timeZone, ctx.now, await timeFormatOf(ctx));
  return list.map(({ task, start, end }) => ({
    summary: `Reserve time for task ${quoted(task.title)}: ${span(start.getTime(), end.getTime(), false)}`,
    record: task,
  }));
}

/** Proposes times for tasks. Nothing is changed before a person applies a proposal. */
export async function proposePlan(ctx: Context, input: PlanInput): Promise<PlanResult> {
  requireScopes(ctx, ["tasks:read", "calendar:read"]);
  const { timeZone = timeZoneOf(ctx), from, to, limit = MAX_PLANNED, ...rest } = input;
  const window = { from: lowerBound(timeZone, from), to: upperBound(timeZone, to) };
  const plan = await planTasks(ctx, { ...rest, ...window, timeZone, limit });
  const previews = await previewSchedules({ ctx, timeZone }, plan.planned);
  const proposed = plan.planned.flatMap((each, index) => {
    const preview = previews[index];
    if (!preview) return [];
    const call = { tool: "schedule_task", input: scheduleInput(each), preview, reason: REASON };
    return [{ ...each, proposal: newProposal({ ctx, timeZone }, call) }];
  });
  const conversation = newConversation();
  await storeExchange(
    ctx,
    conversation,
    // The summaries quote titles that other people may have written.
    { ...NOTHING_DONE, proposals: proposed.map(({ proposal }) => proposal), timeZone, hasOutsideWords: () => true },
    {
      message: "Plan my tasks",
      reply: `${counted(proposed.length, "task")} planned. Apply the proposals you want.`,
      engine: BUILTIN_ENGINE,
      question: null,
    },
  );
  return {
    conversationId: conversation.id,
    timeZone,
    from: plan.from.toISOString(),
    to: plan.to.toISOString(),
    planned: proposed.map(({ task, start, end, proposal }) => ({
      taskId: task.id,
      title: task.title,
      start: start.toISOString(),
      end: end.toISOString(),
      proposalId: proposal.id,
      summary: proposal.summary,
    })),
    unplanned: plan.unplanned.map(({ task, reason }) => ({ taskId: task.id, title: task.title, reason })),
  };
}
