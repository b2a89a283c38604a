/** A text of the API reference or of a problem, whose names of fields are marked with backticks, as a person reads it. */
export function plain(text: string): string {
  return text.replaceAll("`", "");
}
