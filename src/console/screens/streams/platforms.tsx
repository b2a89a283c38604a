import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { useAttempt } from "../../client/attempt.ts";
import { change, patched } from "../../client/changes.ts";
import { Failure, toast } from "../../client/notices.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { queryClient, useGet } from "../../client/queries.ts";
import { known } from "../../lib/cast.ts";
import { pastText } from "../../lib/time.ts";
import { captions } from "../../messages/captions.ts";
import { platforms as m } from "../../messages/streams.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Page } from "../../ui/page.tsx";
import { Pending } from "../../ui/states.tsx";
import type { Credential, Voice } from "./data.ts";
import { hashtagsOf } from "./post-length.ts";
import { StreamTabs } from "./tabs.tsx";

/** A platform has one credential, so its name is its id. */
type Listed = Credential & { id: string };

export function Platforms() {
  const { data, error, refetch } = useGet(["stream", "credentials"], "/api/stream/credentials");
  const credentials = patched<Listed>("stream", data?.data.map((each) => ({ ...each, id: each.platform })) ?? []);
  const voices = useGet(["stream", "voices"], "/api/stream/voice");
  const [connected, setConnected] = useState<Credential | null>(null);
  const [voice, setVoice] = useState<Voice | null>(null);
  return (
    <Page heading={m.heading} class="wide-page">
      <StreamTabs tab="platforms" />
      {!data && <Pending of={{ error, refetch }} rows={4} form="block" />}
      <ul class="platforms tiles wide">
        {credentials.map((credential) => (
          <PlatformCard
            key={credential.platform}
            credential={credential}
            voice={voices.data?.data.find(({ platform }) => platform === credential.platform)}
            onConnect={() => setConnected(credential)}
            onVoice={setVoice}
          />
        ))}
      </ul>
      {connected && <CredentialDialog credential={connected} onClose={() => setConnected(null)} />}
      {voice && <VoiceDialog voice={voice} onClose={() => setVoice(null)} />}
    </Page>
  );
}

interface PlatformCardProps {
  credential: Credential;
  voice: Voice | undefined;
  onConnect(): void;
  onVoice(voice: Voice): void;
}

function PlatformCard({ credential, voice, onConnect, onVoice }: PlatformCardProps) {
  const habits = useHabits();
  const now = useNow();
  const { isBusy, attempt } = useAttempt();
  const { platform, configured, status, account, checkedAt } = credential;
  const name = m.names[platform];
  const tone = { connected: "good", invalid: "danger", unverified: "warn", none: "" }[status ?? "none"];

  async function test() {
    await attempt(m.notTested, async () => {
      const { ok, error } = await api.post("/api/stream/credentials/{platform}/test", { params: { platform } });
      if (!ok) throw new Failure(m.fails(name), error);
      toast(m.works(name));
    });
    void queryClient.invalidateQueries({ queryKey: ["stream", "credentials"] });
  }

  return (
    <li class="card platform column">
      <header class="platform-head line">
        <span class={`platform-mark center hint ${platform}`} aria-hidden="true">
          {name.slice(0, 1)}
        </span>
        <h2>{name}</h2>
        <span class={`badge ${tone}`}>{m.statuses[status ?? "none"]}</span>
      </header>
      <p class="muted">{account ?? m.texts[platform]}</p>
      {checkedAt && <p class="muted">{m.checkedAt(pastText(habits, new Date(checkedAt), now))}</p>}
      <div class="card-actions cluster">
        <Button
          tone={configured ? "plain" : "primary"}
          aria-label={configured ? m.changeOf(name) : m.connectTitle(name)}
          onClick={onConnect}
        >
          {configured ? m.change : m.connect}
        </Button>
        {configured && (
          <Button isBusy={isBusy} aria-label={m.testOf(name)} onClick={test}>
            {m.test}
          </Button>
        )}
        {voice && (
          <Button aria-label={m.voiceOf(name)} onClick={() => onVoice(voice)}>
            {m.voice}
          </Button>
        )}
        {configured && (
          <Button tone="quiet" aria-label={m.disconnectOf(name)} onClick={() => disconnect(credential)}>
            {m.disconnect}
          </Button>
        )}
      </div>
    </li>
  );
}

function disconnect({ platform }: Credential): void {
  void change<Listed, unknown>({
    kind: "stream",
    ids: [platform],
    edit: (each) => ({ ...each, configured: false, status: null, account: null, checkedAt: null }),
    send: () => api.delete("/api/stream/credentials/{platform}", { params: { platform } }),
    failed: m.notDisconnected,
    ask: {
      title: m.disconnectTitle(m.names[platform]),
      text: m.disconnectText,
      button: m.disconnect,
      done: m.disconnected(m.names[platform]),
    },
  });
}

type NewCredential = components["schemas"]["NewStreamCredential"];
type FieldName = keyof typeof m.fields;

/** Fields of a platform; those with a `?` may be left empty. */
const FIELDS: Record<Credential["platform"], readonly (FieldName | `${FieldName}?`)[]> = {
  youtube: ["apiKey", "channelId"],
  discord: ["webhookUrl"],
  x: ["accessToken", "refreshToken?", "clientId?", "clientSecret?"],
  facebook: ["pageId", "accessToken"],
  instagram: ["accountId", "accessToken"],
  webhook: ["url", "secret?"],
};
const OPEN_FIELDS: readonly string[] = ["channelId", "pageId", "accountId", "clientId", "url"];

function CredentialDialog({ credential, onClose }: { credential: Credential; onClose(): void }) {
  const { platform } = credential;
  const name = m.names[platform];
  const needed = FIELDS[platform].filter((field) => !field.endsWith("?"));
  const required = Object.fromEntries(needed.map((field) => [field, m.enter(m.fields[known<FieldName>(field)])]));

  async function save(values: Record<string, string>) {
    const given = Object.entries(values).flatMap(([field, value]) => (value.trim() ? [[field, value.trim()]] : []));
    // The fields above are those of the platform.
    const body = known<NewCredential>({ platform, ...Object.fromEntries(given) });
    await api.post("/api/stream/credentials", { body });
    void queryClient.invalidateQueries({ queryKey: ["stream", "credentials"] });
    toast(m.saved(name));
  }

  return (
    <FormDialog title={m.connectTitle(name)} lead={m.secretNote} required={required} send={save} onClose={onClose}>
      {FIELDS[platform].map((field, index) => {
        const key = known<FieldName>(field.replace("?", ""));
        return (
          <TextField
            key={field}
            label={m.fields[key]}
            name={key}
            type={OPEN_FIELDS.includes(key) ? "text" : "password"}
            autocomplete="off"
            autofocus={index === 0}
            spellcheck={false}
          />
        );
      })}
    </FormDialog>
  );
}

/** How captions are worded on one platform from now on. */
function VoiceDialog({ voice, onClose }: { voice: Voice; onClose(): void }) {
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
