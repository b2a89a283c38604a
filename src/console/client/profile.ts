import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { components } from "#api";
import type { TimeHabits } from "../lib/time.ts";
import { useGet } from "./queries.ts";

export type Profile = components["schemas"]["Profile"];

export function useProfile(): Profile | undefined {
  return useGet(["profile"], "/api/settings/profile", { staleTime: 5 * 60_000 }).data;
}

/** Until the profile is there, nothing with a time in it is drawn: see `screens.tsx`. */
const NEUTRAL: TimeHabits = { timeZone: "UTC", locale: "en", timeFormat: "24h", weekStart: "monday" };

export function useHabits(): TimeHabits {
  return useProfile() ?? NEUTRAL;
}

/** The time, told anew every half minute while the page is visible. */
const now = signal(new Date());
let watchers = 0;
let timer: ReturnType<typeof setInterval> | undefined;

export function useNow(): Date {
  useEffect(() => {
    watchers += 1;
    const tick = () => {
      if (!document.hidden) now.value = new Date();
    };
    tick();
    timer ??= setInterval(tick, 30_000);
    document.addEventListener("visibilitychange", tick);
    return () => {
      watchers -= 1;
      document.removeEventListener("visibilitychange", tick);
      if (watchers === 0) {
        clearInterval(timer);
        timer = undefined;
      }
    };
  }, []);
  return now.value;
}
