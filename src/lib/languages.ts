/** The languages that the built-in engine reads dates and meeting requests in. */
export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];
