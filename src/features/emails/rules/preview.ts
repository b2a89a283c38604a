import type { Context } from "../../../context.ts";
import { toSummary } from "../record.ts";
import { matches } from "./conditions.ts";
import type { RulePreview, RulePreviewRequest } from "./schemas.ts";
import { factsOf, needsText, type StoredEmail, selectStored, textOf } from "./stored.ts";

const LOOKED_AT = 500;
/** Texts that are read from the file store. */
const MOST_TEXTS = 100;
const SHOWN = 20;

/** Which of the newest emails meet the conditions. What it costs does not depend on how many are stored. */
export async function previewRule(ctx: Context, rule: RulePreviewRequest): Promise<RulePreview> {
  const rows = await selectStored(ctx, { limit: LOOKED_AT + 1 });
  const found: StoredEmail[] = [];
  let examined = 0;
  let texts = 0;
  for (const row of rows.slice(0, LOOKED_AT)) {
    const isLong = needsText(rule, row);
    if (isLong && texts === MOST_TEXTS) break;
    if (isLong) texts += 1;
    if (matches(rule, factsOf(row, isLong ? await textOf(ctx, row) : undefined))) found.push(row);
    examined += 1;
  }
  return {
    matched: found.length,
    examined,
    complete: examined === rows.length,
    emails: found.slice(0, SHOWN).map((row) => toSummary(ctx, row)),
  };
}
