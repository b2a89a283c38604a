import { account } from "../features/account/routes.ts";
import { auth } from "../features/auth/routes.ts";
import type { Feature } from "../http/route.ts";

const ACCOUNTS = "Accounts, sessions, two-factor sign-in and password reset.";

export const features: readonly Feature[] = [
  { path: "/api/auth", tag: "Authentication", description: ACCOUNTS, router: auth },
  { path: "/api/auth", tag: "Authentication", description: ACCOUNTS, router: account },
];
