import { createRouter } from "../../../http/app-env.ts";

export const chat = createRouter();
