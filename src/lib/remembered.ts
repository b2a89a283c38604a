/** So many texts at most. Queries are fewer, because their values are bound. */
const MAX_TEXTS = 400;

/** The same function, which remembers its results: reading a text takes longer than finding it again. */
export function remembered<Result>(of: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = of(text);
    if (results.size >= MAX_TEXTS) results.clear();
    results.set(text, result);
    return result;
  };
}
