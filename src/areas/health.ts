import { health } from "../features/health/routes.ts";
import type { Feature } from "../http/route.ts";

export const OPERATIONS = "Whether the service is well, and what is going on.";

export const features: readonly Feature[] = [
  { path: "/api/health", tag: "Operations", description: OPERATIONS, router: health },
];
