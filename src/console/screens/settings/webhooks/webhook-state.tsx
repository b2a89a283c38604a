import type { Returned } from "../../../client/api.ts";
import { webhooks as m } from "../../../messages/settings-webhooks.ts";

export type Webhook = Returned<"/api/settings/webhooks/{id}", "get">;

export function WebhookState({ webhook: { enabled, disabledReason, failingSince } }: { webhook: Webhook }) {
  if (disabledReason) return <span class="badge danger">{m.disabled}</span>;
  if (!enabled) return <span class="badge">{m.off}</span>;
  return failingSince ? <span class="badge warn">{m.failing}</span> : <span class="badge good">{m.on}</span>;
}
