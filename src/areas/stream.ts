import { captions } from "../features/stream/captions/routes.ts";
import { streamCredentials } from "../features/stream/credentials/routes.ts";
import { milestones } from "../features/stream/milestones/routes.ts";
import { stream } from "../features/stream/routes.ts";
import type { Feature } from "../http/route.ts";

const STREAM = "Live streams: their state, the posts that announce them, the platforms' credentials, and milestones.";

export const features: readonly Feature[] = [
  { path: "/api/stream", tag: "Stream", description: STREAM, router: stream },
  { path: "/api/stream/captions", tag: "Stream", description: STREAM, router: captions },
  { path: "/api/stream", tag: "Stream", description: STREAM, router: streamCredentials },
  { path: "/api/stream/milestones", tag: "Stream", description: STREAM, router: milestones },
];
