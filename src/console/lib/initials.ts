/** The first letters of the first and the last word: "AL" for Ada Lovelace. */
export function initials(name: string): string {
  const words = name
    .replaceAll(/[^\p{L}\p{N} ]/gu, " ")
    .trim()
    .split(/\s+/);
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  return ([...first][0] ?? "").concat([...last][0] ?? "").toUpperCase();
}
