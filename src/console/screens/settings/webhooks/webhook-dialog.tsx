import { api } from "../../../client/api.ts";
import { keepNewest, queryClient, useGet } from "../../../client/queries.ts";
import { known } from "../../../lib/cast.ts";
import { plain } from "../../../lib/plain.ts";
import { webhooks as m } from "../../../messages/settings-webhooks.ts";
import { CheckGroup, checked } from "../../../ui/check-group.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { SecretDialog } from "../../../ui/secret.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import type { Webhook } from "./webhook-state.tsx";

interface WebhookDialogProps {
  /** The one to change; without it, a new one is made. */
  webhook?: Webhook;
  /** With the secret of a new one. */
  onDone(secret: string | null): void;
  onClose(): void;
}

export function WebhookDialog({ webhook, onDone, onClose }: WebhookDialogProps) {
  const types = useGet(["webhook", "event-types"], "/api/settings/webhooks/event-types", {
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.data;

  async function save(values: Record<string, string>) {
    const body = {
      url: (values.url ?? "").trim(),
      description: values.description?.trim() || null,
      eventTypes: known<Webhook["eventTypes"]>(checked(values, "eventTypes")),
    };
    let secret: string | null = null;
    if (webhook) {
      const { id, version } = webhook;
      const saved = await api.patch("/api/settings/webhooks/{id}", { params: { id }, body, version });
      keepNewest(["webhook", id], saved);
    } else ({ secret } = await api.post("/api/settings/webhooks", { body }));
    void queryClient.invalidateQueries({ queryKey: ["webhook", "list"] });
    return secret;
  }

  const title = webhook ? m.editTitle : m.add;
  // Without the types there is nothing to choose from, and no choice means all of them.
  if (!types) {
    return (
      <Dialog title={title} onClose={onClose}>
        <Skeleton rows={4} form="text" />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={title}
      button={webhook ? m.save : m.create}
      required={{ url: m.enterUrl }}
      send={save}
      onDone={onDone}
      onClose={onClose}
    >
      <TextField
        label={m.url}
        name="url"
        type="url"
        defaultValue={webhook?.url ?? ""}
        placeholder="https://"
        maxLength={2000}
        autocomplete="off"
        autofocus
      />
      <TextField
        label={m.note}
        name="description"
        defaultValue={webhook?.description ?? ""}
        hint={m.noteHint}
        maxLength={200}
        autocomplete="off"
      />
      <CheckGroup
        label={m.events}
        name="eventTypes"
        hint={m.eventsHint}
        options={types.map(({ type, description }) => ({
          value: type,
          text: type,
          hint: plain(description),
          isChecked: webhook?.eventTypes.includes(type) ?? false,
        }))}
      />
    </FormDialog>
  );
}

/** The secret that signs deliveries, when it is new. */
export function SecretShown({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  return (
    <SecretDialog title={title} text={m.secretText} label={m.secret} value={secret} done={m.done} onClose={onClose} />
  );
}
