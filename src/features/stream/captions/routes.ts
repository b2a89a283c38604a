import { createRouter } from "../../../http/app-env.ts";

export const captions = createRouter();
