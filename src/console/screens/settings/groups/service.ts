import "../../../base.ts";
import AiKeys from "../ai-keys/ai-keys.tsx";
import Models from "../models/models.tsx";
import type { Pages } from "../page.ts";
import Service from "../service/service.tsx";

export const pages: Pages = {
  "ai-keys": AiKeys,
  models: Models,
  service: Service,
};
