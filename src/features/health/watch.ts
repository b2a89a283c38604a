import type { Context } from "../../context.ts";
import { recordProblems, tellAlerts } from "../alerts/service.ts";
import { examine } from "./examination.ts";

/** For the cron: tells the owner, once each, what has begun to be wrong and what is over. */
export async function watchService(ctx: Context) {
  const { problems, alerts } = await examine(ctx);
  const recorded = await recordProblems(ctx, problems, alerts);
  return { problems: problems.length, ...recorded, ...(await tellAlerts(ctx)) };
}
