import { chat } from "../features/ai/chat/routes.ts";
import { ai } from "../features/ai/routes.ts";
import { apiKeys } from "../features/api-keys/routes.ts";
import { activeModel, models } from "../features/models/routes.ts";
import { workflow } from "../features/workflow/routes.ts";
import type { Feature } from "../http/route.ts";

const AI = "Models and their keys, generation, an assistant that acts, and mail understood, with or without a model.";

export const features: readonly Feature[] = [
  { path: "/api/ai-model", tag: "AI", description: AI, router: activeModel },
  { path: "/api/ai", tag: "AI", description: AI, router: models },
  { path: "/api/ai", tag: "AI", description: AI, router: ai },
  { path: "/api/ai/chat", tag: "AI", description: AI, router: chat },
  { path: "/api/api-keys", tag: "AI", description: AI, router: apiKeys },
  {
    path: "/api/workflow",
    tag: "Workflow",
    description: "Flat, stable answers for workflow automations.",
    router: workflow,
  },
];
