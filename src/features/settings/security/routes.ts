import { createRouter } from "../../../http/app-env.ts";

export const securitySettings = createRouter();
