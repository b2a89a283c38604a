import type { Context } from "../../../context.ts";
import { matches, readsBody } from "../../../lib/email-rules.ts";
import { toSummary } from "../record.ts";
import type { RulePreview, RulePreviewRequest } from "./schemas.ts";
import { factsOf, selectStored } from "./stored.ts";

const LOOKED_AT = 500;
/** A text may be long. */
const LOOKED_AT_TEXTS = 200;
const SHOWN = 20;

/** Which of the newest emails meet the conditions. What it costs does not depend on how many are stored. */
export async function previewRule(ctx: Context, rule: RulePreviewRequest): Promise<RulePreview> {
  const withBody = readsBody(rule);
  const limit = withBody ? LOOKED_AT_TEXTS : LOOKED_AT;
  const rows = await selectStored(ctx, { limit: limit + 1, withBody });
  const examined = rows.slice(0, limit);
  const found = examined.filter((row) => matches(rule, factsOf(row)));
  return {
    matched: found.length,
    examined: examined.length,
    complete: rows.length <= limit,
    emails: found.slice(0, SHOWN).map(({ body: _, ...row }) => toSummary(row)),
  };
}
