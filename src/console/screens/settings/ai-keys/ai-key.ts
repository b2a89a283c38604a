import type { components } from "#api";

export type AiKey = components["schemas"]["AiKey"];
