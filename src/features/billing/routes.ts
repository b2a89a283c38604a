import { createRouter } from "../../http/app-env.ts";

export const billing = createRouter();
