import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { useRecords } from "../../../client/records.ts";
import { numberText } from "../../../lib/numbers.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText } from "../../../lib/time.ts";
import { tokens as m } from "../../../messages/settings-tokens.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Switch } from "../../../ui/switch.tsx";

type Alert = components["schemas"]["TokenAlert"];

export function Alerts({ profile, hasLimit }: { profile: Profile; hasLimit: boolean }) {
  const now = useNow();
  const list = useRecords(["alert", "list"], "/api/settings/tokens/alerts", { query: { limit: 100 } });
  const textOf = ({ unit, threshold }: Alert) => m.alertText(numberText(profile.locale, threshold), unit);
  const turn = (each: Alert, enabled: boolean) => {
    const [params, body] = [{ id: each.id }, { enabled }];
    const send = (version: number) => api.patch("/api/settings/tokens/alerts/{id}", { params, body, version });
    list.save(each, body, send, m.alertNotSaved);
  };
  const remove = (each: Alert) => {
    const { id, threshold, unit, enabled, lastFired } = each;
    const done = m.alertDeleted(textOf(each));
    const body = { threshold, unit, enabled };
    list.remove(each, {
      send: () => api.delete("/api/settings/tokens/alerts/{id}", { params: { id } }),
      failed: m.alertNotDeleted,
      // A new one would fire a second time in the same month.
      ...(lastFired
        ? { ask: { title: m.deleteAlertTitle, text: m.deleteAlertText, button: m.delete, done } }
        : { undo: { done, send: () => api.post("/api/settings/tokens/alerts", { body }) } }),
    });
  };
  return (
    <Section heading={m.alerts} lead={m.alertsLead}>
      <Entries of={list} rows={2} none={m.noAlerts}>
        {(each) => (
          <Entry
            name={textOf(each)}
            hint={facts(
              each.lastFired ? m.fired(pastText(profile, new Date(each.lastFired.at), now)) : m.neverFired,
              each.unit === "percent" && !hasLimit && m.percentNeedsLimit,
            )}
          >
            <Switch
              aria-label={m.alertOn(textOf(each))}
              value={each.enabled}
              onChange={(enabled) => turn(each, enabled)}
            />
            <IconButton icon="trash" label={m.deleteAlert(textOf(each))} onClick={() => remove(each)} />
          </Entry>
        )}
      </Entries>
      <Form
        isRepeated
        class="form one-line"
        button={m.addAlert}
        tone="plain"
        required={{ threshold: m.enterThreshold }}
        send={async ({ threshold = "", unit }) => {
          await api.post("/api/settings/tokens/alerts", {
            body: { threshold: Number(threshold), unit: unit === "tokens" ? "tokens" : "percent" },
          });
          await list.reread();
        }}
      >
        <TextField label={m.threshold} name="threshold" inputMode="numeric" autocomplete="off" />
        <SelectField label={m.unit} name="unit" options={Object.entries(m.units)} />
      </Form>
    </Section>
  );
}
