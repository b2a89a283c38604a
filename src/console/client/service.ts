import type { Returned } from "./api.ts";
import { useGet } from "./queries.ts";

type ServiceEntry = Returned<"/api/auth/registration", "get">;

/** Who may enter this service: known before anybody signs in. */
export function useService(): ServiceEntry | undefined {
  return useGet(["service", "entry"], "/api/auth/registration", { staleTime: 60_000 }).data;
}
