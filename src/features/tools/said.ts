import { assertType } from "../../lib/cast.ts";
import { quoted } from "../../lib/quoted.ts";
import { exactSpeakerFor } from "../../lib/spoken-time.ts";
import { timeFormatOf } from "../profile/service.ts";
import type { ToolContext } from "./tool.ts";

/*
 * What a proposal would do, in the service's own words. Other people's words stand only between quotation marks, and
 * times are complete: a person decides by nothing else.
 */

/** More than any input has. Of what is longer, the number of characters is said. */
const MAX_CHARACTERS = 20_000;

/** The words that a write would store or send, with nothing left out. */
export function whole(text: string): string {
  const rest = text.length - MAX_CHARACTERS;
  return `${quoted(text, MAX_CHARACTERS)}${rest > 0 ? ` and ${rest} more characters` : ""}`;
}

export const allOf = (texts: readonly string[]) => texts.map(whole).join(", ");

export interface Facts extends Awaited<ReturnType<typeof speakerFor>> {
  context: ToolContext;
}

function speakerFor({ ctx, timeZone }: ToolContext) {
  return timeFormatOf(ctx).then((format) => exactSpeakerFor(timeZone, ctx.now, format));
}

export async function factsFor(context: ToolContext): Promise<Facts> {
  return { ...(await speakerFor(context)), context };
}

/** Said where the record or its times are named, which the same input decides. */
export const ELSEWHERE = null;

/**
 * What each member of a tool's input adds to a summary. Every member has an entry, so that none can change what is done
 * without being said; a test changes each of them.
 */
export type Sayings<Input> = {
  readonly [Name in keyof Input]-?:
    | typeof ELSEWHERE
    | ((value: Exclude<Input[Name], undefined>, facts: Facts) => string | Promise<string>);
};

export async function said<Input extends object>(
  sayings: Sayings<Input>,
  input: Input,
  facts: Facts,
): Promise<string[]> {
  const parts: string[] = [];
  for (const name in sayings) {
    const [say, value] = [sayings[name], input[name]];
    if (say !== ELSEWHERE && value !== undefined) parts.push(await say(assertType(value), facts));
  }
  return parts;
}

/** What tasks and events have in common. */
export const REPEATING = {
  rrule: (rule: string | null) => (rule === null ? "no repetition" : `repeating by the rule ${whole(rule)}`),
};
