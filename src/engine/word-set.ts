/** A set of words written as one line. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
