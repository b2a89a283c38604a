import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { change, patched, versionOf } from "../../../client/changes.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { numberText } from "../../../lib/numbers.ts";
import { pastText } from "../../../lib/time.ts";
import { tokens as m } from "../../../messages/settings-tokens.ts";
import { IconButton } from "../../../ui/button.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Section } from "../../../ui/setting.tsx";
import { LoadFailure } from "../../../ui/states.tsx";

type Alert = components["schemas"]["TokenAlert"];

export function Alerts({ profile, hasLimit }: { profile: Profile; hasLimit: boolean }) {
  const now = useNow();
  const list = useList<Alert>({
    key: ["alert", "list"],
    read: (cursor, signal) => api.get("/api/settings/tokens/alerts", { query: { limit: 50, cursor }, signal }),
  });
  const alerts = list.records && patched("alert", list.records);
  const textOf = ({ unit, threshold }: Alert) => m.alertText(numberText(profile.locale, threshold), unit);
  return (
    <Section heading={m.alerts} lead={m.alertsLead}>
      {list.error && <LoadFailure error={list.error} retry={list.retry} />}
      {alerts?.length === 0 && <p class="muted">{m.noAlerts}</p>}
      <ul class="setting-list">
        {alerts?.map((each) => (
          <li key={each.id} class="setting-line">
            <div class="grow">
              <p class="setting-name">{textOf(each)}</p>
              <p class="hint">
                {each.lastFired ? m.fired(pastText(profile, new Date(each.lastFired.at), now)) : m.neverFired}
                {each.unit === "percent" && !hasLimit && ` · ${m.percentNeedsLimit}`}
              </p>
            </div>
            <input
              type="checkbox"
              class="switch"
              aria-label={m.alertOn(textOf(each))}
              checked={each.enabled}
              onChange={(event) => turn(each, event.currentTarget.checked)}
            />
            <IconButton
              icon="trash"
              label={m.deleteAlert(textOf(each))}
              onClick={() => remove(each, m.alertDeleted(textOf(each)))}
            />
          </li>
        ))}
      </ul>
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
          await queryClient.invalidateQueries({ queryKey: ["alert"] });
        }}
      >
        {(problemOf) => (
          <>
            <TextField
              label={m.threshold}
              name="threshold"
              inputMode="numeric"
              autocomplete="off"
              problem={problemOf("threshold")}
            />
            <SelectField label={m.unit} name="unit" options={Object.entries(m.units)} problem={problemOf("unit")} />
          </>
        )}
      </Form>
    </Section>
  );
}

function turn(alert: Alert, enabled: boolean): void {
  void change<Alert, Alert>({
    kind: "alert",
    ids: [alert.id],
    edit: (each) => ({ ...each, enabled }),
    send: () =>
      api.patch("/api/settings/tokens/alerts/{id}", {
        params: { id: alert.id },
        body: { enabled },
        version: versionOf("alert", alert),
      }),
    failed: m.alertNotSaved,
  });
}

function remove({ id, threshold, unit, enabled, lastFired }: Alert, done: string): void {
  void change<Alert, unknown>({
    kind: "alert",
    ids: [id],
    edit: () => null,
    send: () => api.delete("/api/settings/tokens/alerts/{id}", { params: { id } }),
    failed: m.alertNotDeleted,
    // A new one would fire a second time in the same month.
    ...(lastFired
      ? { ask: { title: m.deleteAlertTitle, text: m.deleteAlertText, button: m.delete, done } }
      : {
          undo: { done, send: () => api.post("/api/settings/tokens/alerts", { body: { threshold, unit, enabled } }) },
        }),
  });
}
