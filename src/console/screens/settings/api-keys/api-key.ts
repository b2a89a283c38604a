import type { components } from "#api";

export type ApiKey = components["schemas"]["ApiKey"];
