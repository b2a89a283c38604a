/** A function that makes its value at the first call and keeps it. */
export function kept<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
