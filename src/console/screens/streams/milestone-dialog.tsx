import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { versionOf } from "../../client/changes.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { milestones as m } from "../../messages/streams.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Milestone } from "./data.ts";

const METRICS = ["subscribers", "viewers", "peak_viewers"] as const;

/** A reached milestone keeps its number: only its name can change. */
export function MilestoneDialog({ milestone, onClose }: { milestone: Milestone | null; onClose(): void }) {
  const [metric, setMetric] = useState<Milestone["metric"]>(milestone?.metric ?? "subscribers");
  const [threshold, setThreshold] = useState(milestone ? String(milestone.threshold) : "");
  const [label, setLabel] = useState(milestone?.label ?? "");
  const [key] = useState(() => crypto.randomUUID());

  async function save() {
    const name = label.trim();
    if (milestone) {
      const body = milestone.reached
        ? { label: name || null }
        : { metric, threshold: Number(threshold), label: name || null };
      await api.patch("/api/stream/milestones/{id}", {
        params: { id: milestone.id },
        body,
        version: versionOf("milestone", milestone),
      });
    } else {
      await api.post("/api/stream/milestones", {
        body: { metric, threshold: Number(threshold), ...(name && { label: name }) },
        key,
      });
    }
    void queryClient.invalidateQueries({ queryKey: ["milestone"] });
    toast(m.saved);
  }

  return (
    <FormDialog title={milestone ? m.edit : m.add} submit={m.save} onSubmit={save} onClose={onClose}>
      <div class="field-pair">
        <SelectField
          label={m.metric}
          value={metric}
          disabled={milestone?.reached ?? false}
          options={METRICS.map((each) => [each, m.metrics[each]])}
          onChange={(event) => setMetric(METRICS.find((each) => each === event.currentTarget.value) ?? "subscribers")}
        />
        <TextField
          label={m.threshold}
          type="number"
          min={1}
          required
          autofocus={!milestone}
          disabled={milestone?.reached ?? false}
          value={threshold}
          onInput={(event) => setThreshold(event.currentTarget.value)}
        />
      </div>
      <TextField
        label={m.label}
        hint={m.labelHint}
        maxLength={80}
        value={label}
        onInput={(event) => setLabel(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
