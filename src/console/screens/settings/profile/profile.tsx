import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { attempt, toast } from "../../../client/notices.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { useRecord } from "../../../client/record.ts";
import { areEnabled, enableShortcuts } from "../../../lib/shortcuts.ts";
import { chooseTheme, chosenTheme, THEMES } from "../../../lib/theme-choice.ts";
import { fullText } from "../../../lib/time.ts";
import { parts } from "../../../messages/parts.ts";
import { settings } from "../../../messages/settings.ts";
import { profile as m } from "../../../messages/settings-profile.ts";
import { shell } from "../../../messages/shell.ts";
import { Button } from "../../../ui/button.tsx";
import { Entry } from "../../../ui/entries.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Section, SelectRow, SwitchRow, TextRow } from "../../../ui/setting.tsx";
import type { SettingsProps } from "../page.ts";
import { Picture } from "./picture.tsx";
import { LOCALES, localeName, zones } from "./places.ts";

export default function ProfilePage({ profile: read, query }: SettingsProps) {
  const { record, save, problemOf, row, isSaved } = useRecord<Profile, components["schemas"]["ProfileChanges"]>({
    key: ["profile"],
    read: (signal) => api.get("/api/settings/profile", { signal }),
    send: (body, version) => api.patch("/api/settings/profile", { body, version }),
    failed: parts.notSaved,
    staleTime: 5 * 60_000,
  });
  const profile = record ?? read;
  const now = useNow();
  const [theme, setTheme] = useState(chosenTheme);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <Section heading={m.you} isSaved={isSaved}>
        <Picture profile={profile} />
        <TextRow
          label={m.name}
          value={profile.name}
          maxLength={100}
          autocomplete="name"
          problem={problemOf("name")}
          onSave={(name) => save({ name })}
        />
        <TextRow
          label={m.company}
          value={profile.company ?? ""}
          maxLength={200}
          autocomplete="organization"
          problem={problemOf("company")}
          onSave={(company) => save({ company: company || null })}
        />
        <TextRow
          label={m.phone}
          type="tel"
          value={profile.phone ?? ""}
          autocomplete="tel"
          problem={problemOf("phone")}
          onSave={(phone) => save({ phone: phone || null })}
        />
        <TextRow
          label={m.bio}
          hint={m.bioHint}
          isLong
          value={profile.bio ?? ""}
          maxLength={2000}
          problem={problemOf("bio")}
          onSave={(bio) => save({ bio: bio || null })}
        />
      </Section>
      <Address profile={profile} isChanging={query.get("do") === "address"} />
      <Section heading={m.times} isSaved={isSaved} lead={m.example(fullText(profile, now))}>
        <SelectRow
          label={m.zone}
          hint={
            here !== profile.timeZone && (
              <>
                {m.zoneHint(here.replaceAll("_", " "))}{" "}
                <button type="button" class="link-button bare" onClick={() => void save({ timeZone: here })}>
                  {m.useZone}
                </button>
              </>
            )
          }
          options={zones(profile.timeZone)}
          {...row("timeZone")}
        />
        <SelectRow
          label={m.locale}
          options={[...new Set([profile.locale, ...LOCALES])].map((tag) => [tag, localeName(tag)] as const)}
          {...row("locale")}
        />
        <SelectRow
          label={m.clock}
          options={[
            ["24h", m.clocks["24h"]],
            ["12h", m.clocks["12h"]],
          ]}
          {...row("timeFormat")}
        />
        <SelectRow
          label={m.week}
          options={[
            ["monday", m.weeks.monday],
            ["sunday", m.weeks.sunday],
            ["saturday", m.weeks.saturday],
          ]}
          {...row("weekStart")}
        />
      </Section>
      <Section heading={m.mail} isSaved={isSaved}>
        <SwitchRow
          label={m.mailView}
          hint={m.mailViewHint}
          value={profile.mailView === "messages"}
          onChange={(isOn) => void save({ mailView: isOn ? "messages" : "conversations" })}
        />
        <SwitchRow
          label={m.mailDensity}
          hint={m.mailDensityHint}
          value={profile.mailDensity === "compact"}
          onChange={(isOn) => void save({ mailDensity: isOn ? "compact" : "comfortable" })}
        />
      </Section>
      <Section heading={m.look} lead={m.lookLead}>
        <SelectRow
          label={m.theme}
          value={theme}
          options={THEMES.map((each) => [each, shell.menu.themes[each]] as const)}
          onChange={(chosen) => {
            chooseTheme(chosen);
            setTheme(chosen);
          }}
        />
        <SwitchRow
          label={m.shortcuts}
          hint={m.shortcutsHint}
          value={areEnabled.value}
          onChange={(isOn) => enableShortcuts(isOn)}
        />
      </Section>
    </>
  );
}

function Address({ profile, isChanging: isAsked }: { profile: Profile; isChanging: boolean }) {
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
