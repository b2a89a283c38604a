import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { versionOf } from "../../client/changes.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { known } from "../../lib/cast.ts";
import { milestones as m } from "../../messages/streams.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Milestone } from "./data.ts";

/** A reached milestone keeps its number: only its name can change. */
export function MilestoneDialog({ milestone, onClose }: { milestone: Milestone | null; onClose(): void }) {
  const [key] = useState(() => crypto.randomUUID());
  const isReached = milestone?.reached ?? false;

  async function save(values: Record<string, string>) {
    const label = values.label?.trim() || null;
    const aim = { metric: known<Milestone["metric"]>(values.metric), threshold: Number(values.threshold) };
    if (milestone) {
      await api.patch("/api/stream/milestones/{id}", {
        params: { id: milestone.id },
        body: isReached ? { label } : { ...aim, label },
        version: versionOf("milestone", milestone),
      });
    } else await api.post("/api/stream/milestones", { body: { ...aim, ...(label && { label }) }, key });
    void queryClient.invalidateQueries({ queryKey: ["milestone"] });
    toast(m.saved);
  }

  return (
    <FormDialog
      title={milestone ? m.edit : m.add}
      required={isReached ? {} : { threshold: m.enterThreshold }}
      send={save}
      onClose={onClose}
    >
      <div class="field-pair">
        <SelectField
          label={m.metric}
          name="metric"
          defaultValue={milestone?.metric ?? "subscribers"}
          disabled={isReached}
          options={Object.entries(m.metrics)}
        />
        <TextField
          label={m.threshold}
          name="threshold"
          type="number"
          min={1}
          autofocus={!milestone}
          disabled={isReached}
          defaultValue={milestone ? String(milestone.threshold) : ""}
        />
      </div>
      <TextField label={m.label} name="label" hint={m.labelHint} maxLength={80} defaultValue={milestone?.label ?? ""} />
    </FormDialog>
  );
}
