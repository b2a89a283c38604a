import { anyone } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { SignedIn } from "../sessions/schemas.ts";
import { Entry, Registration } from "./schemas.ts";
import { describeEntry, register } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/auth/register", {
  operationId: "register",
  summary: "Create an account",
  description:
    "Creates an account and signs it in. The first account becomes the owner, unless `OWNER_EMAIL` names the owner; " +
    "all others are members. In production the owner's registration needs `setupToken`. The password must not be a " +
    "common one, or made of your name, your address or the name of the service.",
  guard: anyone,
  rateLimit: "auth",
  body: Registration,
  returns: { 201: SignedIn },
  errors: ["email_taken", "registration_closed", "setup_token_required", "weak_password", "misconfigured"],
  handle: ({ ctx, body }) => register(ctx, body),
});

routes.endpoint("get", "/api/auth/registration", {
  operationId: "getRegistration",
  summary: "Check who may register",
  description:
    "Returns whether a new account can be created, whether it will own the service, and whether the " +
    "service is in open mode. For pages shown before sign-in.",
  guard: anyone,
  rateLimit: "public",
  returns: { 200: Entry },
  errors: ["unavailable"],
  handle: ({ ctx }) => describeEntry(ctx),
});
