import { createRouter } from "../../../http/app-env.ts";

export const milestones = createRouter();
