import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { toast } from "../../../client/notices.ts";
import { isProblem } from "../../../client/problem.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useGet } from "../../../client/queries.ts";
import { pastText } from "../../../lib/time.ts";
import { settings } from "../../../messages/settings.ts";
import { security as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { Entry } from "../../../ui/entries.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";
import { AuditLog, Logins } from "./logs.tsx";

export default function Security({ profile, query }: SettingsProps) {
  const now = useNow();
  const [isChanging, setIsChanging] = useState(query.get("do") === "password");
  const overview = useGet(["setting", "security"], "/api/settings/security");
  if (!overview.data) return <Pending of={overview} />;
  const { email, emailVerified, passwordChangedAt, twoFactor, sessions, apiKeys } = overview.data;
  const { connections, webhooks, pushDevices, calendarLink } = overview.data;
  return (
    <>
      <Section heading={m.overview}>
        <Entry name={m.password} hint={m.passwordChanged(pastText(profile, new Date(passwordChangedAt), now))}>
          {!isChanging && <Button onClick={() => setIsChanging(true)}>{m.changePassword}</Button>}
        </Entry>
        {isChanging && <PasswordForm onClose={() => setIsChanging(false)} />}
        <Fact
          name={m.twoFactor}
          text={twoFactor.enabled ? m.twoFactorOn(twoFactor.backupCodesLeft) : m.twoFactorOff}
          href="/app/settings/two-factor"
          isGood={twoFactor.enabled}
        />
        <Fact name={m.sessions} text={m.sessionCount(sessions)} href="/app/settings/sessions" />
        <Fact name={m.apiKeys} text={m.keyCount(apiKeys)} href="/app/settings/api-keys" />
        <Fact name={m.agents} text={m.agentCount(connections)} href="/app/settings/connections" />
        <Fact name={m.webhooks} text={m.webhookCount(webhooks)} href="/app/settings/webhooks" />
        <Fact name={m.devices} text={m.deviceCount(pushDevices)} href="/app/settings/notifications" />
        <Fact
          name={m.calendarLink}
          text={calendarLink ? m.linkMade(pastText(profile, new Date(calendarLink.createdAt), now)) : m.noLink}
          href="/app/settings/calendars"
        />
        <Fact
          name={m.address}
          text={`${email}, ${emailVerified ? m.verified : m.unverified}`}
          href="/app/settings/profile"
          isGood={emailVerified}
        />
      </Section>
      <Logins habits={profile} now={now} />
      <AuditLog habits={profile} now={now} />
    </>
  );
}

interface FactProps {
  name: string;
  text: string;
  href: string;
  /** Whether it is as it should be, where that can be said. */
  isGood?: boolean;
}

function Fact({ name, text, href, isGood }: FactProps) {
  return (
    <Entry name={name} hint={isGood === false ? <span class="warn">{text}</span> : text}>
      <a class="button" href={href} aria-label={`${m.look}: ${name}`}>
        {m.look}
      </a>
    </Entry>
  );
}

function PasswordForm({ onClose }: { onClose(): void }) {
  const [isWrong, setIsWrong] = useState(false);
  return (
    <Form
      class="form inset"
      button={m.save}
      required={{ currentPassword: m.enterCurrent, newPassword: m.enterNext }}
      beside={<Button onClick={onClose}>{settings.cancel}</Button>}
      send={async ({ currentPassword = "", newPassword = "", revokeOthers }) => {
        setIsWrong(false);
        try {
          const { sessionsEnded } = await api.post("/api/settings/security/password", {
            body: { currentPassword, newPassword, revokeOthers: revokeOthers === "on" },
          });
          toast(m.changed(sessionsEnded));
        } catch (error) {
          setIsWrong(isProblem(error, "reauthentication_required"));
          throw error;
        }
        onClose();
        await queryClient.invalidateQueries({ queryKey: ["setting"] });
      }}
    >
      <TextField
        label={m.current}
        name="currentPassword"
        type="password"
        autocomplete="current-password"
        autofocus
        problem={isWrong ? m.wrongCurrent : undefined}
      />
      <TextField label={m.next} name="newPassword" type="password" autocomplete="new-password" hint={m.nextHint} />
      <label class="check-line line">
        <input type="checkbox" name="revokeOthers" defaultChecked />
        {m.endOthers}
      </label>
    </Form>
  );
}
