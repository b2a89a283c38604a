import { vi } from "vitest";

/** Waits until the check no longer throws, as long as a test may take: how busy the machine is must not decide it. */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 900_000, interval: 20 });
}
