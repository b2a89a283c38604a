export const SEVERITIES = ["good", "info", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];
export const LEVELS = ["low", "medium", "high"] as const;
export type Level = (typeof LEVELS)[number];
