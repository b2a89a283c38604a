/** What the built-in engine makes of a prompt, or null when it takes a language model. */
export function answerPrompt(_prompt: string, _now: Date, _timeZone: string): string | null {
  return null;
}
