import { z } from "@hono/zod-openapi";
import { Id } from "../../../http/schemas.ts";

export const Caption = z.object({ id: Id }).openapi("Caption");
