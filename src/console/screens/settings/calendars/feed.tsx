import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { toast } from "../../../client/notices.ts";
import { calendars as m } from "../../../messages/settings-calendars.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import { Copyable } from "../../../ui/secret.tsx";

/** The feed that calendar programs subscribe to. The API tells the link once, so it is made here when it is wanted. */
export function Feed() {
  const [url, setUrl] = useState<string | null>(null);
  const { isBusy, attempt } = useAttempt();
  const create = async () => {
    setUrl((await api.post("/api/calendar/feed")).url);
    toast(m.created);
  };
  const revoke = () =>
    ask({
      ...{ title: m.revokeTitle, text: m.revokeText, button: m.revoke, failed: m.notRevoked },
      async run() {
        await api.delete("/api/calendar/feed");
        setUrl(null);
        toast(m.revoked);
      },
    });
  // Phones subscribe to this scheme, and only download the other.
  const subscription = url?.replace(/^https?:/, "webcal:") ?? "";
  return (
    <div class="stack gap-12">
      <p class="muted">{m.feedLead}</p>
      {url && (
        <>
          <Callout role="status">{m.linkText}</Callout>
          <div class="two-factor wrap">
            <QrCode text={subscription} label={m.qr} />
            <div class="two-factor-steps stack gap-16">
              <Copyable label={m.link} value={url} hint={m.paste} />
              <a class="button" href={subscription}>
                {m.open}
              </a>
            </div>
          </div>
        </>
      )}
      <div class="form-actions wrap">
        <Button tone={url ? "plain" : "primary"} isBusy={isBusy} onClick={() => void attempt(m.notCreated, create)}>
          {url ? m.renew : m.create}
        </Button>
        <Button onClick={revoke}>{m.revoke}</Button>
      </div>
      <p class="hint">{m.replaceHint}</p>
    </div>
  );
}
