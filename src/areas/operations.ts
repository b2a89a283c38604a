import { stats } from "../features/stats/routes.ts";
import type { Feature } from "../http/route.ts";
import { features as health, OPERATIONS } from "./health.ts";

export const features: readonly Feature[] = [
  { path: "/api/stats", tag: "Operations", description: OPERATIONS, router: stats },
  ...health,
];
