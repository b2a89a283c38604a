import { useState } from "preact/hooks";
import { attempt } from "./notices.ts";

/** `attempt` for a button that shows that it is busy. One of several is known by its name. */
export function useAttempt() {
  const [busy, setBusy] = useState<string | number | null>(null);
  return {
    busy,
    isBusy: busy !== null,
    async attempt(failed: string, act: () => Promise<unknown>, name: string | number = ""): Promise<boolean> {
      setBusy(name);
      const isDone = await attempt(failed, act);
      setBusy(null);
      return isDone;
    },
  };
}
