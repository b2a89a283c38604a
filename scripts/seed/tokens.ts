import { randomOf, type SeedContext } from "./area.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAYS = 30;

type Shares<Choice> = readonly [Choice, ...Choice[]];

/** Found again by these names: no provider has models of them. */
const SAMPLE_MODELS: Shares<{ model: string; provider: string; upstreamModel: string; share: number }> = [
  { model: "model_a", provider: "anthropic", upstreamModel: "sample-large", share: 0.7 },
  { model: "model_b", provider: "openai", upstreamModel: "sample-small", share: 1 },
];

/** What is asked for, how many tokens go in at most, and how often it is among the calls. */
const TASKS: Shares<{ task: string; input: number; output: number; share: number }> = [
  { task: "email_intelligence", input: 1800, output: 350, share: 0.45 },
  { task: "chat", input: 4200, output: 500, share: 0.75 },
  { task: "email_response", input: 1500, output: 420, share: 0.9 },
  { task: "generate", input: 900, output: 800, share: 1 },
];

const ALERT_TOKENS = 1_000_000;

/** A month of AI calls, more on working days, and one alert. Days that have theirs already stay as they are. */
export async function tokens({ db, now }: SeedContext): Promise<string> {
  const calls = Array.from({ length: DAYS }, (_, index) => now.getTime() - (index + 1) * DAY_MS).flatMap(callsOf);
  const isFilled = `SELECT at / ${DAY_MS} FROM ai_calls WHERE upstream_model IN ('sample-large', 'sample-small')`;
  await db.batch([
    db
      .prepare(
        `INSERT INTO ai_calls (at, task, model, provider, upstream_model, input_tokens, output_tokens, duration_ms,
           fallback_reason)
         SELECT value ->> 'at', value ->> 'task', value ->> 'model', value ->> 'provider', value ->> 'upstreamModel',
           value ->> 'input', value ->> 'output', value ->> 'durationMs', value ->> 'fallbackReason'
         FROM json_each(?1) WHERE (value ->> 'at') / ${DAY_MS} NOT IN (${isFilled})`,
      )
      .bind(JSON.stringify(calls)),
    db
      .prepare(
        `INSERT INTO token_alerts (user_id, unit, threshold, enabled, version, created_at, updated_at)
         SELECT id, 'tokens', ?1, 1, 1, ?2, ?2 FROM users WHERE email = 'ada@example.com'
         ON CONFLICT DO NOTHING`,
      )
      .bind(ALERT_TOKENS, now.getTime()),
  ]);
  return `${calls.length} AI calls over ${DAYS} days, and one token alert`;
}

/** The same for a day on every run, since it depends on the day alone. */
function callsOf(day: number) {
  const random = randomOf(`tokens ${day}`);
  const pick = <Choice extends { share: number }>(choices: Shares<Choice>): Choice => {
    const drawn = random();
    return choices.find(({ share }) => drawn < share) ?? choices[0];
  };
  const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
  const count = Math.floor(random() * (isWeekend ? 3 : 9)) + (isWeekend ? 0 : 5);
  return Array.from({ length: count }, (_, index) => {
    const { task, input, output } = pick(TASKS);
    const { model, provider, upstreamModel } = pick(SAMPLE_MODELS);
    const at = day + Math.floor((7 + random() * 11) * 60) * MINUTE_MS;
    const amount = 0.3 + random() * 0.7;
    // Never the first, by which the day is found again.
    const isFallback = index > 0 && random() < 0.04;
    return {
      at,
      task,
      provider: isFallback ? null : provider,
      upstreamModel: isFallback ? null : upstreamModel,
      model: isFallback ? "builtin" : model,
      input: isFallback ? 0 : Math.round(input * amount),
      output: isFallback ? 0 : Math.round(output * amount),
      durationMs: Math.round(400 + random() * 2600),
      fallbackReason: isFallback ? "provider_timeout" : null,
    };
  });
}
