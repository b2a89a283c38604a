import { useEffect, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import type { Quick } from "./task.ts";

const PAUSE_MS = 160;

/** What the service makes of the line while somebody types. The last answer stays until the next one is there. */
export function usePreview(text: string): { text: string; quick: Quick } | null {
  const [preview, setPreview] = useState<{ text: string; quick: Quick } | null>(null);
  const line = text.trim();
  useEffect(() => {
    if (line === "") {
      setPreview(null);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const quick = await api.post("/api/tasks/quick", {
          body: { text: line, preview: true },
          key: null,
          signal: leaving.signal,
        });
        setPreview({ text: line, quick });
      } catch {
        // Only a help: adding the task says what is wrong.
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [line]);
  return preview;
}
