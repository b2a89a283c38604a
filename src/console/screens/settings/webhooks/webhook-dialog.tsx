import { api } from "../../../client/api.ts";
import { queryClient, useQuery } from "../../../client/queries.ts";
import { known } from "../../../lib/cast.ts";
import { plain } from "../../../lib/plain.ts";
import { webhooks as m } from "../../../messages/settings-webhooks.ts";
import { shell } from "../../../messages/shell.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckGroup, checked } from "../../../ui/check-group.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
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
  const types = useQuery({
    queryKey: ["webhook", "event-types"],
    queryFn: ({ signal }) => api.get("/api/settings/webhooks/event-types", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.data;

  async function save(values: Record<string, string>) {
    const body = {
      url: (values.url ?? "").trim(),
      description: values.description?.trim() || null,
      eventTypes: known<Webhook["eventTypes"]>(checked(values, "eventTypes")),
    };
    if (webhook) {
      const { id, version } = webhook;
      const saved = await api.patch("/api/settings/webhooks/{id}", { params: { id }, body, version });
      queryClient.setQueryData(["webhook", id], saved);
      onDone(null);
    } else {
      const { secret } = await api.post("/api/settings/webhooks", { body });
      onDone(secret);
    }
    await queryClient.invalidateQueries({ queryKey: ["webhook", "list"] });
  }

  return (
    <Dialog title={webhook ? m.editTitle : m.add} onClose={onClose}>
      {types ? (
        <Form
          button={webhook ? m.save : m.create}
          required={{ url: m.enterUrl }}
          beside={<Button onClick={onClose}>{shell.cancel}</Button>}
          send={save}
        >
          {(problemOf) => (
            <>
              <TextField
                label={m.url}
                name="url"
                type="url"
                defaultValue={webhook?.url ?? ""}
                placeholder="https://"
                maxLength={2000}
                autocomplete="off"
                autofocus
                problem={problemOf("url")}
              />
              <TextField
                label={m.note}
                name="description"
                defaultValue={webhook?.description ?? ""}
                hint={m.noteHint}
                maxLength={200}
                autocomplete="off"
                problem={problemOf("description")}
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
                problem={problemOf("eventTypes")}
              />
            </>
          )}
        </Form>
      ) : (
        <Skeleton rows={4} form="text" />
      )}
    </Dialog>
  );
}

/** The secret that signs deliveries, when it is new. */
export function SecretShown({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  return (
    <SecretDialog title={title} text={m.secretText} label={m.secret} value={secret} done={m.done} onClose={onClose} />
  );
}
