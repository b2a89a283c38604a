import "../../base.ts";
import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { useAttempt } from "../../client/attempt.ts";
import { toast } from "../../client/notices.ts";
import { calendar } from "../../messages/calendar.ts";
import { event as texts } from "../../messages/event.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { Copyable } from "../../ui/secret.tsx";
import { closeDialogs } from "./close-dialogs.ts";

const m = texts.phone;

/** The feed that calendar programs subscribe to. The API tells the link once, so it is made here when it is wanted. */
export function PhoneDialog() {
  const [url, setUrl] = useState<string | null>(null);
  const { isBusy, attempt } = useAttempt();
  async function create() {
    await attempt(m.notCreated, async () => {
      setUrl((await api.post("/api/calendar/feed")).url);
    });
  }
  async function revoke() {
    await attempt(m.notRevoked, async () => {
      await api.delete("/api/calendar/feed");
      setUrl(null);
      toast(m.revoked);
    });
  }
  // Phones subscribe to this scheme, and only download the other.
  const subscription = url?.replace(/^https?:/, "webcal:") ?? "";
  return (
    <Dialog
      title={calendar.phone}
      onClose={closeDialogs}
      footer={
        <>
          <Button tone="danger" onClick={revoke}>
            {m.revoke}
          </Button>
          <Button tone={url ? "plain" : "primary"} isBusy={isBusy} onClick={create}>
            {url ? m.renew : m.create}
          </Button>
        </>
      }
    >
      <div class="stack gap-12">
        <p>{m.text}</p>
        <p class="hint">{m.replaces}</p>
        {url && (
          <div class="phone-link wrap gap-20" role="status">
            <QrCode text={subscription} label={m.qr} />
            <div class="sheet-fields">
              <Copyable label={m.link} value={url} hint={m.once} />
              <a class="button" href={subscription}>
                {m.open}
              </a>
            </div>
          </div>
        )}
      </div>
    </Dialog>
  );
}
