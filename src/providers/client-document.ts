import type { Config } from "../config.ts";
import { outsideAddressProblem } from "../lib/outside-address.ts";
import { limitedText } from "./limited-text.ts";

const TIMEOUT_MS = 5000;
const MAX_BYTES = 20_000;

/** Why an address cannot be that of a client's description, or null. */
export function documentProblem({ ALLOW_PRIVATE_HOSTS }: Config, url: string): string | null {
  const problem = outsideAddressProblem(url, { allowPrivate: ALLOW_PRIVATE_HOSTS });
  if (problem) return problem;
  const { pathname, hash, href } = new URL(url);
  if (pathname === "/" || hash) return "must have a path and no fragment";
  return href === url ? null : "must be written in its normal form";
}

/** The description that a client publishes about itself, as JSON. Throws if there is none. */
export async function fetchClientDocument(url: string): Promise<unknown> {
  const headers = { accept: "application/json" };
  const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status !== 200) throw new Error(`The address answered ${response.status}.`);
  return JSON.parse(await limitedText(response, MAX_BYTES));
}
