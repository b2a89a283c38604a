import type { Context } from "../../../context.ts";
import type { PersonalHours } from "../../../lib/profile-kinds.ts";
import { DEFAULT_WORKING_HOURS } from "../../../lib/working-hours.ts";
import { findWorkingHours } from "../../profile/working-hours.ts";

/** When the person can be met. Office hours by the clocks of `timeZone`, while they have set none of their own. */
export async function workingHoursOf(ctx: Context, timeZone: string, userId?: number): Promise<PersonalHours> {
  return (await findWorkingHours(ctx, userId)) ?? { timeZone, days: DEFAULT_WORKING_HOURS };
}
