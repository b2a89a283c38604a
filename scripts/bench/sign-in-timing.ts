import type { Bundles } from "./build.ts";
import { median } from "./compare.ts";
import type { Plan } from "./plan.ts";
import { withStage } from "./stage.ts";

export interface SignInTiming {
  wrongPasswordMs: number;
  unknownEmailMs: number;
  /** How often an unknown email takes longer than a wrong password: 0.5 means that time tells nothing. */
  distinguishable: number;
  samples: number;
}

/** Below the ten that lock an account. */
const GUESSES_AN_ACCOUNT = 8;

/** Tells a stranger's view: does a failed login take longer when the account exists? */
export function measureSignInTiming(bundles: Bundles, { signIns }: Plan): Promise<SignInTiming> {
  return withStage(bundles, async ({ ours, db, insertRows }) => {
    const account = { email: "person@example.com", password: "correct horse battery staple", name: "Ada" };
    await ours.expect({ method: "POST", path: "/api/auth/register", body: account }, 201);
    const password = await db.prepare("SELECT password_hash, pepper_id FROM users").first();
    const known = Array.from({ length: Math.ceil(signIns / GUESSES_AN_ACCOUNT) }, (_, n) => `known-${n}@example.com`);
    const rows = known.map((email) => ({ email, name: "Ada", role: "member", created_at: 0, ...password }));
    await insertRows("users", rows);

    const guess = async (email: string) => {
      const started = performance.now();
      await ours.expect({ method: "POST", path: "/api/auth/login", body: { email, password: "not this one" } }, 401);
      return performance.now() - started;
    };
    await guess("warm-up@example.com");
    const wrong: number[] = [];
    const unknown: number[] = [];
    for (let turn = 0; turn < signIns; turn++) {
      // Taken in turns, so that whatever else the machine does meets both alike.
      wrong.push(await guess(known[Math.floor(turn / GUESSES_AN_ACCOUNT)] ?? ""));
      unknown.push(await guess(`unknown-${Math.floor(turn / GUESSES_AN_ACCOUNT)}@example.com`));
    }
    return {
      wrongPasswordMs: median(wrong),
      unknownEmailMs: median(unknown),
      distinguishable: shareOfLonger(unknown, wrong),
      samples: signIns,
    };
  });
}

/** The Mann–Whitney statistic, as a share of all pairs. */
function shareOfLonger(ones: readonly number[], others: readonly number[]): number {
  let longer = 0;
  for (const one of ones) for (const other of others) longer += one > other ? 1 : one === other ? 0.5 : 0;
  return longer / (ones.length * others.length);
}
