import type { components } from "#api";
import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { known } from "../../lib/cast.ts";
import { streams as m } from "../../messages/streams.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

type Report = components["schemas"]["NewStreamReport"];

/** For a stream that no automation reports. */
export function ReportDialog({ onClose }: { onClose(): void }) {
  async function send({ platform, state, title = "", url = "", viewers, subscribers }: Record<string, string>) {
    await api.post("/api/stream/status", {
      body: {
        platform: known<Report["platform"]>(platform),
        state: known<NonNullable<Report["state"]>>(state),
        ...(title.trim() && { title }),
        ...(url.trim() && { url: url.trim() }),
        ...(viewers && { viewers: Number(viewers) }),
        ...(subscribers && { subscribers: Number(subscribers) }),
      },
    });
    for (const kind of ["stream", "caption", "milestone", "stats"]) {
      void queryClient.invalidateQueries({ queryKey: [kind] });
    }
    toast(m.reportedDone);
  }

  return (
    <FormDialog title={m.report} lead={m.reportText} button={m.send} send={send} onClose={onClose}>
      <div class="field-pair">
        <SelectField label={m.platform} name="platform" options={Object.entries(m.streamPlatforms)} />
        <SelectField label={m.state} name="state" defaultValue="live" options={Object.entries(m.states)} />
      </div>
      <TextField label={m.title} name="title" maxLength={500} />
      <TextField label={m.address} name="url" type="url" />
      <div class="field-pair">
        <TextField label={m.viewers} name="viewers" type="number" min={0} />
        <TextField label={m.subscribers} name="subscribers" type="number" min={0} />
      </div>
    </FormDialog>
  );
}
