import { words } from "./words.ts";

/** Null is no limit. */
export interface PlanLimits {
  aiTokensPerMonth: number | null;
  webhooks: number | null;
  apiKeys: number | null;
}

export interface Plan {
  name: string;
  description: string;
  limits: PlanLimits;
}

const UNLIMITED: PlanLimits = { aiTokensPerMonth: null, webhooks: null, apiKeys: null };

/** `self_hosted` is the plan of a service without a billing provider. */
export const PLANS = {
  self_hosted: {
    name: "Self-hosted",
    description: "Your own service and your own AI keys, without limits.",
    limits: UNLIMITED,
  },
  free: {
    name: "Free",
    description: "For trying it out.",
    limits: { aiTokensPerMonth: 100_000, webhooks: 2, apiKeys: 3 },
  },
  pro: {
    name: "Pro",
    description: "For one busy person.",
    limits: { aiTokensPerMonth: 2_000_000, webhooks: 10, apiKeys: 20 },
  },
  business: {
    name: "Business",
    description: "For a person with a team and many automations.",
    limits: { aiTokensPerMonth: 10_000_000, webhooks: 50, apiKeys: 100 },
  },
} as const satisfies Record<string, Plan>;

export type PlanId = keyof typeof PLANS;
export const PLAN_IDS = ["self_hosted", "free", "pro", "business"] as const satisfies readonly PlanId[];

export const PAID_PLANS = ["pro", "business"] as const satisfies readonly PlanId[];
export type PaidPlan = (typeof PAID_PLANS)[number];
export const INTERVALS = ["month", "year"] as const;
export type Interval = (typeof INTERVALS)[number];

/** The lookup key of a plan's price at the provider. */
export function planLookupKey(plan: PaidPlan, interval: Interval): string {
  return `poa_${plan}_${interval}`;
}

export function planOfLookupKey(key: string | null): { plan: PaidPlan; interval: Interval } | null {
  for (const plan of PAID_PLANS) {
    for (const interval of INTERVALS) if (key === planLookupKey(plan, interval)) return { plan, interval };
  }
  return null;
}

/** Used after the month's allowance; they do not expire. */
export const TOKEN_PACKAGES = {
  tokens_1m: { name: "1 million tokens", tokens: 1_000_000, lookupKey: "poa_tokens_1m" },
  tokens_5m: { name: "5 million tokens", tokens: 5_000_000, lookupKey: "poa_tokens_5m" },
  tokens_20m: { name: "20 million tokens", tokens: 20_000_000, lookupKey: "poa_tokens_20m" },
} as const;
export type TokenPackageId = keyof typeof TOKEN_PACKAGES;
export const TOKEN_PACKAGE_IDS = ["tokens_1m", "tokens_5m", "tokens_20m"] as const satisfies readonly TokenPackageId[];

export const SUBSCRIPTION_STATUSES = words("active trialing past_due unpaid paused incomplete cancelled");
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Whether the plan is in force. A late payment does not end it at once. */
export function isEntitled(status: SubscriptionStatus): boolean {
  return status === "active" || status === "trialing" || status === "past_due";
}
