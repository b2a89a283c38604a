import { auth } from "../features/auth/routes.ts";
import type { Feature } from "../http/route.ts";

export const features: readonly Feature[] = [
  {
    path: "/api/auth",
    tag: "Authentication",
    description: "Accounts, sessions, two-factor sign-in and password reset.",
    router: auth,
  },
];
