import { ACCOUNT, register } from "./account-cases.ts";
import type { Bundles } from "./build.ts";
import type { Call, Client } from "./client.ts";
import { median, quartiles } from "./compare.ts";
import type { Plan } from "./plan.ts";
import { withStage } from "./stage.ts";

/** A whole login beside one comparison of the same password by the same library. */
export interface LoginTime {
  loginMs: number;
  compareMs: number;
  /** The median of the ratios of single pairs. */
  ratio: number;
  spread: readonly [number, number];
  pairs: number;
}

/** Pairs, one after the other and in turns first: whatever else the machine does meets both of a pair alike. */
export function measureLogin(bundles: Bundles, { loginPairs: pairs }: Plan): Promise<LoginTime> {
  return withStage(bundles, async (stage) => {
    await register(stage);
    const hash = await stage.db.prepare("SELECT password_hash FROM users").first("password_hash");
    const { email, password } = ACCOUNT;
    const login: Call = { method: "POST", path: "/api/auth/login", body: { email, password } };
    const comparison: Call = { method: "POST", path: "/bcrypt", body: { password, hash } };
    const sides = [
      { took: [] as number[], send: () => timed(stage.ours, login) },
      { took: [] as number[], send: () => timed(stage.bare, comparison) },
    ] as const;
    for (const { send } of sides) await send();
    for (let pair = 0; pair < pairs; pair++) {
      for (const { took, send } of pair % 2 === 0 ? sides : [...sides].reverse()) took.push(await send());
    }
    const [ours, bare] = sides;
    const ratios = ours.took.map((ms, pair) => ms / (bare.took[pair] ?? Number.NaN));
    return {
      loginMs: median(ours.took),
      compareMs: median(bare.took),
      ratio: median(ratios),
      spread: quartiles(ratios),
      pairs,
    };
  });
}

async function timed(client: Client, call: Call): Promise<number> {
  const started = performance.now();
  await client.expect(call, 200);
  return performance.now() - started;
}
