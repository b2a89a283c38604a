import { createRouter } from "../../http/app-env.ts";

export const models = createRouter();

/** The active model has a path of its own: /api/ai-model. */
export const activeModel = createRouter();
