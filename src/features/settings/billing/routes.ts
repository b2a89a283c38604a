import { createRouter } from "../../../http/app-env.ts";

export const billingSettings = createRouter();
