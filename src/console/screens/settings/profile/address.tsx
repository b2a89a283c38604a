import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { attempt, toast } from "../../../client/notices.ts";
import type { Profile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { fullText } from "../../../lib/time.ts";
import { settings } from "../../../messages/settings.ts";
import { profile as m } from "../../../messages/settings-profile.ts";
import { Button } from "../../../ui/button.tsx";
import { Entry } from "../../../ui/entries.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Section } from "../../../ui/setting.tsx";

export function Address({ profile, isChanging: isAsked }: { profile: Profile; isChanging: boolean }) {
  const [isChanging, setIsChanging] = useState(isAsked);
  const { address, verified, pending } = profile.email;
  const reread = () => queryClient.invalidateQueries({ queryKey: ["profile"] });

  async function verify() {
    await attempt(m.verifyFailed, async () => {
      const { email } = await api.post("/api/settings/profile/email/verify");
      toast(m.verifySent(email));
    });
  }

  async function cancel() {
    await attempt(m.notCancelled, async () => {
      await api.delete("/api/settings/profile/email");
      toast(m.changeCancelled);
    });
    await reread();
  }

  return (
    <Section heading={m.address} lead={m.addressLead}>
      <Entry
        name={address}
        badge={<span class={verified ? "badge good" : "badge warn"}>{verified ? m.verified : m.unverified}</span>}
      >
        {!verified && <Button onClick={() => void verify()}>{m.verify}</Button>}
        {!isChanging && !pending && <Button onClick={() => setIsChanging(true)}>{m.change}</Button>}
      </Entry>
      {pending && (
        <div class="setting-line">
          <p class="grow muted">{m.pending(pending.address, fullText(profile, new Date(pending.expiresAt)))}</p>
          <Button onClick={() => void cancel()}>{m.cancelChange}</Button>
        </div>
      )}
      {isChanging && !pending && (
        <Form
          class="form inset"
          button={m.sendLink}
          required={{ email: m.enterAddress }}
          beside={<Button onClick={() => setIsChanging(false)}>{settings.cancel}</Button>}
          send={async ({ email = "" }) => {
            await api.post("/api/settings/profile/email", { body: { email: email.trim() } });
            toast(m.linkSent(email.trim()));
            setIsChanging(false);
            await reread();
          }}
        >
          <TextField label={m.newAddress} name="email" type="email" autocomplete="email" autofocus />
        </Form>
      )}
    </Section>
  );
}
