import { api, type Returned } from "./api.ts";
import { useQuery } from "./queries.ts";

type ServiceEntry = Returned<"/api/auth/registration", "get">;

/** Who may enter this service: known before anybody signs in. */
export function useService(): ServiceEntry | undefined {
  return useQuery({
    queryKey: ["service", "entry"],
    queryFn: ({ signal }) => api.get("/api/auth/registration", { signal }),
    staleTime: 60_000,
  }).data;
}
