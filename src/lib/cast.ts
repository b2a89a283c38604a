/**
 * The one place where a type is asserted rather than proven. Used where a library's types cannot
 * express what the code around the call guarantees.
 */
export function assertType<T>(value: unknown): T {
  return value as T;
}
