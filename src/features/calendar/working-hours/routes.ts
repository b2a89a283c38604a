import { user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { NewWorkingHours, WorkingHours } from "./schemas.ts";
import { readWorkingHours, setWorkingHours } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/profile/working-hours", {
  operationId: "getWorkingHours",
  summary: "Get your working hours",
  description: "Returns Monday to Friday, 09:00 to 17:00, until you set your own.",
  guard: user,
  returns: { 200: WorkingHours },
  ifNoneMatch: false,
  handle: ({ ctx }) => readWorkingHours(ctx),
});

routes.endpoint("put", "/api/settings/profile/working-hours", {
  operationId: "setWorkingHours",
  summary: "Set your working hours",
  description: "Replaces the whole week. Free slots are only offered within these hours.",
  guard: user,
  body: NewWorkingHours,
  returns: { 200: WorkingHours },
  errors: ["not_found"],
  ifMatch: true,
  handle: ({ ctx, body, ifMatch }) => setWorkingHours(ctx, body, ifMatch),
});
