import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { captions } from "../../messages/captions.ts";
import { platforms as m } from "../../messages/streams.ts";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Voice } from "./data.ts";
import { hashtagsOf } from "./post-length.ts";

const TONES = ["professional", "friendly", "hype", "mixed"] as const;

/** How captions are worded on one platform from now on. */
export function VoiceDialog({ voice, onClose }: { voice: Voice; onClose(): void }) {
  const { platform } = voice;
  const [tone, setTone] = useState(voice.tone);
  const [format, setFormat] = useState(voice.format);
  const [customPrompt, setPrompt] = useState(voice.customPrompt);
  const [callToAction, setCallToAction] = useState(voice.callToAction);
  const [tags, setTags] = useState(voice.hashtags.map((tag) => `#${tag}`).join(" "));
  const [autoApprove, setAutoApprove] = useState(voice.autoApprove);

  async function save() {
    await api.patch("/api/stream/voice/{platform}", {
      params: { platform },
      body: { tone, format, customPrompt, callToAction, hashtags: hashtagsOf(tags), autoApprove },
      version: voice.version,
    });
    void queryClient.invalidateQueries({ queryKey: ["stream", "voices"] });
    toast(m.voiceSaved);
  }

  return (
    <FormDialog title={m.voiceOf(captions.platforms[platform])} submit={m.save} onSubmit={save} onClose={onClose}>
      <div class="field-pair">
        <SelectField
          label={m.tone}
          value={tone}
          options={TONES.map((each) => [each, m.tones[each]])}
          onChange={(event) => setTone(TONES.find((each) => each === event.currentTarget.value) ?? "friendly")}
        />
        <SelectField
          label={m.format}
          value={format}
          options={Object.entries(m.formats)}
          onChange={(event) => setFormat(event.currentTarget.value === "embed" ? "embed" : "plain")}
        />
      </div>
      <TextAreaField
        label={m.prompt}
        hint={m.promptHint}
        rows={3}
        maxLength={2000}
        value={customPrompt}
        onInput={(event) => setPrompt(event.currentTarget.value)}
      />
      <TextField
        label={m.hashtags}
        hint={m.hashtagsHint}
        value={tags}
        onInput={(event) => setTags(event.currentTarget.value)}
      />
      <TextField
        label={m.callToAction}
        maxLength={200}
        value={callToAction}
        onInput={(event) => setCallToAction(event.currentTarget.value)}
      />
      <label class="check-line line">
        <input
          type="checkbox"
          class="checkbox square"
          checked={autoApprove}
          onChange={(event) => setAutoApprove(event.currentTarget.checked)}
        />
        <span>{m.autoApprove}</span>
      </label>
    </FormDialog>
  );
}
