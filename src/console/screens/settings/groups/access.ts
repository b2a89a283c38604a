import "../../../base.ts";
import ApiKeys from "../api-keys/api-keys.tsx";
import Connections from "../connections/connections.tsx";
import type { Pages } from "../page.ts";
import Security from "../security/security.tsx";
import Sessions from "../sessions/sessions.tsx";
import TwoFactor from "../two-factor/two-factor.tsx";
import Webhooks from "../webhooks/webhooks.tsx";

export const pages: Pages = {
  security: Security,
  "two-factor": TwoFactor,
  sessions: Sessions,
  "api-keys": ApiKeys,
  connections: Connections,
  webhooks: Webhooks,
};
