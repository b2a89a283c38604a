// better-auth as its documentation sets it up: email and password, sessions in D1, everything else as it comes.
import { betterAuth } from "better-auth";

let auth;

export default {
  fetch(request, env) {
    auth ??= betterAuth({
      database: env.DB,
      baseURL: new URL(request.url).origin,
      secret: env.JWT_SECRET,
      emailAndPassword: { enabled: true },
      // Its own limit would answer most of the run with 429.
      rateLimit: { enabled: false },
      telemetry: { enabled: false },
    });
    return auth.handler(request);
  },
};
