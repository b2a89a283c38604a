import type { components } from "#api";

export type Health = components["schemas"]["HealthDetails"];
