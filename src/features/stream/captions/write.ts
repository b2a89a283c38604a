import type { Context } from "../../../context.ts";

export interface CaptionOrder {
  kind: "go_live" | "milestone" | "end";
  sessionId: number | null;
  milestoneId: number | null;
}

/** Writes one pending caption for each connected platform. */
export async function writeCaptions(_ctx: Context, _order: CaptionOrder): Promise<{ id: number }[]> {
  return [];
}
