import type { components } from "#api";

export type Rule = components["schemas"]["EmailRule"];
