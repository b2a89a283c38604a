import { billing } from "../features/billing/routes.ts";
import { apiKeySettings } from "../features/settings/api-keys/routes.ts";
import { billingSettings } from "../features/settings/billing/routes.ts";
import { dataSettings } from "../features/settings/data/routes.ts";
import { profileSettings } from "../features/settings/profile/routes.ts";
import { securitySettings } from "../features/settings/security/routes.ts";
import { tokensSettings } from "../features/settings/tokens/routes.ts";
import { webhooksSettings } from "../features/settings/webhooks/routes.ts";
import type { Feature } from "../http/route.ts";

const SETTINGS = "A person's own profile, security, billing, AI tokens, outbound webhooks and data.";

export const features: readonly Feature[] = [
  { path: "/api/settings/profile", tag: "Settings", description: SETTINGS, router: profileSettings },
  { path: "/api/settings/security", tag: "Settings", description: SETTINGS, router: securitySettings },
  { path: "/api/settings/security/api-keys", tag: "Settings", description: SETTINGS, router: apiKeySettings },
  { path: "/api/settings/billing", tag: "Settings", description: SETTINGS, router: billingSettings },
  { path: "/api/settings/tokens", tag: "Settings", description: SETTINGS, router: tokensSettings },
  { path: "/api/settings/webhooks", tag: "Settings", description: SETTINGS, router: webhooksSettings },
  { path: "/api/settings", tag: "Settings", description: SETTINGS, router: dataSettings },
  { path: "/api/billing", tag: "Billing", description: "What the billing provider tells us.", router: billing },
];
