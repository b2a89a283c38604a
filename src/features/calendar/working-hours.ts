import type { Context } from "../../context.ts";
import { DEFAULT_WORKING_HOURS, type WorkingHours } from "../../lib/working-hours.ts";

/** When the person can be met. */
export async function workingHoursOf(_ctx: Context): Promise<WorkingHours> {
  return DEFAULT_WORKING_HOURS;
}
