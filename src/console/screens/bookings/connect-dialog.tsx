import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { bookings as m } from "../../messages/bookings.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

export function ConnectDialog({ onClose }: { onClose(): void }) {
  async function connect({ apiKey = "", webhookSecret }: Record<string, string>) {
    const { status } = await api.post("/api/bookingsvc/settings", {
      body: { apiKey: apiKey.trim(), ...(webhookSecret && { webhookSecret }) },
    });
    void queryClient.invalidateQueries({ queryKey: ["sync"] });
    toast(status === "connected" ? m.connected : m.savedUnchecked);
  }

  return (
    <FormDialog
      title={m.connectTitle}
      lead={m.connectText}
      button={m.connect}
      required={{ apiKey: m.enterKey }}
      send={connect}
      onClose={onClose}
    >
      <TextField label={m.apiKey} name="apiKey" type="password" autocomplete="off" autofocus spellcheck={false} />
      <TextField
        label={m.webhookSecret}
        name="webhookSecret"
        hint={m.webhookSecretHint}
        type="password"
        autocomplete="off"
        spellcheck={false}
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
      button={m.disconnect}
      tone="danger"
      send={disconnect}
      onClose={onClose}
    />
  );
}
