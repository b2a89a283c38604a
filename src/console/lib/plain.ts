/** A text of the API reference or of a problem, whose names of fields are marked with backticks, as a person reads it. */
export function plain(text: string): string {
  return text.replaceAll("`", "");
}

/** What is known of something, on one line. */
export function facts(...known: readonly (string | number | false | null | undefined)[]): string {
  return known.filter(Boolean).join(" · ");
}
