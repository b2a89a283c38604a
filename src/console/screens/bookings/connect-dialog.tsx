import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { bookings as m } from "../../messages/bookings.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

export function ConnectDialog({ onClose }: { onClose(): void }) {
  const [apiKey, setApiKey] = useState("");
  const [secret, setSecret] = useState("");

  async function connect() {
    const { status } = await api.post("/api/bookingsvc/settings", {
      body: { apiKey: apiKey.trim(), ...(secret && { webhookSecret: secret }) },
    });
    void queryClient.invalidateQueries({ queryKey: ["sync"] });
    toast(status === "connected" ? m.connected : m.savedUnchecked);
  }

  return (
    <FormDialog title={m.connectTitle} lead={m.connectText} submit={m.connect} onSubmit={connect} onClose={onClose}>
      <TextField
        label={m.apiKey}
        type="password"
        autocomplete="off"
        autofocus
        required
        spellcheck={false}
        value={apiKey}
        onInput={(event) => setApiKey(event.currentTarget.value)}
      />
      <TextField
        label={m.webhookSecret}
        hint={m.webhookSecretHint}
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={secret}
        onInput={(event) => setSecret(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

export function DisconnectDialog({ onClose }: { onClose(): void }) {
  async function disconnect() {
    await api.delete("/api/bookingsvc/settings");
    void queryClient.invalidateQueries({ queryKey: ["sync"] });
    toast(m.disconnected);
  }
  return (
    <FormDialog
      title={m.disconnectTitle}
      lead={m.disconnectText}
      submit={m.disconnect}
      onSubmit={disconnect}
      onClose={onClose}
    />
  );
}
