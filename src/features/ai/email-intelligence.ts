import type { Context } from "../../context.ts";
import type { EmailAnalysis } from "../../lib/email-kinds.ts";
import { analyse, readEmailSource } from "../emails/analysis/service.ts";
import type { IntelligenceInput } from "./schemas.ts";

/** Analyzes a stored or given email. Nothing is stored. */
export async function emailIntelligence(ctx: Context, source: IntelligenceInput): Promise<EmailAnalysis> {
  const { input } = await readEmailSource(ctx, source);
  return analyse(ctx, input);
}
