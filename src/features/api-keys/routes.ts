import { createRouter } from "../../http/app-env.ts";

export const apiKeys = createRouter();
