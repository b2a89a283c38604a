import type { components } from "#api";
import { emailSettings } from "../../../messages/settings-email.ts";

export type Rule = components["schemas"]["EmailRule"];

type Actions = Rule["actions"];
type Flag = { [Name in keyof Actions]-?: boolean extends NonNullable<Actions[Name]> ? Name : never }[keyof Actions];

const WORDS: Record<Flag, string> = emailSettings.do;
/** The actions that are done or not. Each has its words. */
export const FLAGS = Object.keys(WORDS).filter((name): name is Flag => name in WORDS);
