/* The only casts of the console, each where the compiler cannot know what the code around it guarantees. */

/** The answer of an operation that returns no content: its type is `undefined`, which a generic function cannot say. */
export function nothing<T>(): T {
  return undefined as T;
}

/** A value that is known to be of the type by where it comes from. */
export function known<T>(value: unknown): T {
  return value as T;
}
