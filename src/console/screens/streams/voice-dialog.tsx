import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { known } from "../../lib/cast.ts";
import { captions } from "../../messages/captions.ts";
import { platforms as m } from "../../messages/streams.ts";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Voice } from "./data.ts";
import { hashtagsOf } from "./post-length.ts";

/** How captions are worded on one platform from now on. */
export function VoiceDialog({ voice, onClose }: { voice: Voice; onClose(): void }) {
  const { platform, version } = voice;

  async function save({ tone, format, customPrompt = "", callToAction = "", hashtags = "", autoApprove }: Values) {
    const body = {
      tone: known<Voice["tone"]>(tone),
      format: known<Voice["format"]>(format),
      customPrompt,
      callToAction,
      hashtags: hashtagsOf(hashtags),
      autoApprove: autoApprove === "on",
    };
    await api.patch("/api/stream/voice/{platform}", { params: { platform }, body, version });
    void queryClient.invalidateQueries({ queryKey: ["stream", "voices"] });
    toast(m.voiceSaved);
  }

  return (
    <FormDialog title={m.voiceOf(captions.platforms[platform])} send={save} onClose={onClose}>
      <div class="field-pair">
        <SelectField label={m.tone} name="tone" defaultValue={voice.tone} options={Object.entries(m.tones)} />
        <SelectField label={m.format} name="format" defaultValue={voice.format} options={Object.entries(m.formats)} />
      </div>
      <TextAreaField
        label={m.prompt}
        name="customPrompt"
        hint={m.promptHint}
        rows={3}
        maxLength={2000}
        defaultValue={voice.customPrompt}
      />
      <TextField
        label={m.hashtags}
        name="hashtags"
        hint={m.hashtagsHint}
        defaultValue={voice.hashtags.map((tag) => `#${tag}`).join(" ")}
      />
      <TextField label={m.callToAction} name="callToAction" maxLength={200} defaultValue={voice.callToAction} />
      <label class="check-line line">
        <input type="checkbox" class="checkbox square" name="autoApprove" defaultChecked={voice.autoApprove} />
        <span>{m.autoApprove}</span>
      </label>
    </FormDialog>
  );
}

type Values = Record<string, string>;
