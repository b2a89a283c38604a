import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { streams as m } from "../../messages/streams.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

type Report = components["schemas"]["NewStreamReport"];
const STATES = ["scheduled", "live", "ended", "cancelled"] as const;
const PLATFORMS = ["youtube", "twitch", "custom"] as const;

/** For a stream that no automation reports. */
export function ReportDialog({ onClose }: { onClose(): void }) {
  const [platform, setPlatform] = useState<Report["platform"]>("youtube");
  const [state, setState] = useState<NonNullable<Report["state"]>>("live");
  const [title, setTitle] = useState("");
  const [url, setUrl] = useState("");
  const [viewers, setViewers] = useState("");
  const [subscribers, setSubscribers] = useState("");

  async function send() {
    await api.post("/api/stream/status", {
      body: {
        platform,
        state,
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
    <FormDialog title={m.report} lead={m.reportText} submit={m.send} onSubmit={send} onClose={onClose}>
      <div class="field-pair">
        <SelectField
          label={m.platform}
          value={platform}
          options={PLATFORMS.map((each) => [each, m.streamPlatforms[each]])}
          onChange={(event) => setPlatform(PLATFORMS.find((each) => each === event.currentTarget.value) ?? "youtube")}
        />
        <SelectField
          label={m.state}
          value={state}
          options={STATES.map((each) => [each, m.states[each]])}
          onChange={(event) => setState(STATES.find((each) => each === event.currentTarget.value) ?? "live")}
        />
      </div>
      <TextField
        label={m.title}
        value={title}
        maxLength={500}
        onInput={(event) => setTitle(event.currentTarget.value)}
      />
      <TextField label={m.address} type="url" value={url} onInput={(event) => setUrl(event.currentTarget.value)} />
      <div class="field-pair">
        <TextField
          label={m.viewers}
          type="number"
          min={0}
          value={viewers}
          onInput={(event) => setViewers(event.currentTarget.value)}
        />
        <TextField
          label={m.subscribers}
          type="number"
          min={0}
          value={subscribers}
          onInput={(event) => setSubscribers(event.currentTarget.value)}
        />
      </div>
    </FormDialog>
  );
}
