import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { change } from "../../../client/changes.ts";
import { failureToast } from "../../../client/notices.ts";
import { useHabits } from "../../../client/profile.ts";
import { queryClient, useQuery } from "../../../client/queries.ts";
import { compose as m } from "../../../messages/compose.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import { composition, type Draft, openDraft } from "./composition.ts";
import { FileList, useFiles } from "./files.tsx";
import { SendLater } from "./send-later.tsx";
import { addressesOf, useDraft } from "./use-draft.ts";
import { WriteDialog } from "./write-dialog.tsx";

/** Writing an email. It is kept as a draft at every change, so that closing the window loses nothing. */
export default function ComposeDialog({ onClose }: { onClose(): void }) {
  const [started] = useState(() => composition.peek());
  const { draft, fields, state, edit, flush, setFiles, current } = useDraft(started);
  const habits = useHabits();
  const { uploading, add, remove } = useFiles({ draft, setFiles });
  const [showsCopies, setShowsCopies] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  const [isLater, setIsLater] = useState(false);
  const [isWriting, setIsWriting] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const recipient = useRef<HTMLInputElement>(null);
  const hasOriginal = started.email !== null || draft?.inReplyTo != null || draft?.forwardOf != null;
  const answered = started.kind === "forward" ? null : (started.email?.id ?? draft?.inReplyTo ?? null);
  useEffect(() => {
    if (fields.cc || fields.bcc) setShowsCopies(true);
  }, [fields.cc !== "", fields.bcc !== ""]);

  async function close(): Promise<void> {
    onClose();
    const stored = current();
    const isUntouched = stored && started.draft === null && state !== "failed" && !wasTouched(stored);
    if (isUntouched) {
      await api.delete("/api/emails/drafts/{id}", { params: { id: stored.id } }).catch(() => {});
      void queryClient.invalidateQueries({ queryKey: ["draft"] });
    } else await flush().catch((error) => failureToast(m.notSaved, error));
  }

  /** An answer that nobody has written anything into. */
  const wasTouched = (stored: Draft) =>
    fields.body.trim() !== "" || stored.attachments.length > 0 || started.email === null;

  async function send(at: Date | null): Promise<void> {
    if (addressesOf(`${fields.to},${fields.cc},${fields.bcc}`).length === 0) {
      setProblem(m.noRecipient);
      recipient.current?.focus();
      return;
    }
    try {
      await flush();
      const stored = current() ?? (await api.post("/api/emails/drafts", { body: {} }));
      if (at) {
        const body = { sendAt: at.toISOString() };
        await api.patch("/api/emails/drafts/{id}", { params: { id: stored.id }, body });
      }
      onClose();
      sendDraft(stored, at);
    } catch (error) {
      failureToast(m.notSent, error);
    }
  }

  return (
    <Dialog
      title={m.headings[started.kind]}
      size="large"
      onClose={() => void close()}
      footer={
        <div class="compose-foot">
          <Button tone="primary" icon="send" onClick={() => void send(null)}>
            {m.send}
          </Button>
          <IconButton icon="clock" label={m.sendLater} onClick={() => setIsLater(true)} />
          <IconButton icon="paperclip" label={m.attach} onClick={() => chooser.current?.click()} />
          {answered !== null && <IconButton icon="sparkle" label={m.ai.button} onClick={() => setIsWriting(true)} />}
          <span class="compose-state muted" role="status">
            {state === "saving" ? m.saving : state === "saved" ? m.saved : state === "failed" ? m.notSaved : ""}
          </span>
          <IconButton
            icon="trash"
            label={m.discard}
            onClick={() => {
              onClose();
              const stored = current();
              if (stored) discard(stored);
            }}
          />
        </div>
      }
    >
      <form
        class="compose"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            void send(null);
          }
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void add(event.dataTransfer?.files ?? []);
        }}
      >
        <Sender value={fields.identityId} onChange={(identityId) => edit({ identityId })} />
        <div class="compose-to">
          <TextField
            label={m.to}
            inputRef={recipient}
            autocomplete="off"
            inputMode="email"
            autofocus={started.kind === "new" || started.kind === "forward"}
            value={fields.to}
            problem={problem}
            onInput={(event) => {
              setProblem(undefined);
              edit({ to: event.currentTarget.value });
            }}
          />
          {!showsCopies && (
            <Button tone="quiet" onClick={() => setShowsCopies(true)}>
              {m.addCc}
            </Button>
          )}
        </div>
        {showsCopies && (
          <>
            <TextField label={m.cc} value={fields.cc} onInput={(event) => edit({ cc: event.currentTarget.value })} />
            <TextField label={m.bcc} value={fields.bcc} onInput={(event) => edit({ bcc: event.currentTarget.value })} />
          </>
        )}
        <TextField
          label={m.subject}
          maxLength={500}
          value={fields.subject}
          onInput={(event) => edit({ subject: event.currentTarget.value })}
        />
        <TextAreaField
          label={m.body}
          rows={10}
          autofocus={started.kind === "reply" || started.kind === "replyAll" || started.kind === "draft"}
          value={fields.body}
          onInput={(event) => edit({ body: event.currentTarget.value })}
        />
        {hasOriginal && (
          <label class="compose-quote">
            <input
              type="checkbox"
              checked={fields.quote}
              onChange={(event) => edit({ quote: event.currentTarget.checked })}
            />
            {m.quote}
          </label>
        )}
        <FileList draft={draft} uploading={uploading} onRemove={(id) => void remove(id)} />
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={m.attach}
          onChange={(event) => {
            void add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </form>
      {isLater && (
        <SendLater
          habits={habits}
          onClose={() => setIsLater(false)}
          onChoose={(at) => {
            setIsLater(false);
            void send(at);
          }}
        />
      )}
      {isWriting && answered !== null && (
        <WriteDialog emailId={answered} onWritten={(body) => edit({ body })} onClose={() => setIsWriting(false)} />
      )}
    </Dialog>
  );
}

/** Only for people with several identities. */
function Sender({ value, onChange }: { value: number | null; onChange(id: number): void }) {
  const { data } = useQuery({
    queryKey: ["profile", "identities"],
    queryFn: ({ signal }) => api.get("/api/settings/identities", { signal }),
    staleTime: 5 * 60_000,
  });
  const identities = data?.data ?? [];
  if (identities.length < 2) return null;
  const chosen = value ?? identities.find(({ isDefault }) => isDefault)?.id ?? identities[0]?.id;
  return (
    <SelectField
      label={m.from}
      value={String(chosen)}
      options={identities.map(({ id, name, address }) => [String(id), address ? `${name} <${address}>` : name])}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}

/** Leaves when it can no longer be undone; the draft is stored all the while. */
function sendDraft(draft: Draft, at: Date | null): void {
  const key = crypto.randomUUID();
  let isUndone = true;
  void change<Draft, unknown>({
    kind: "draft",
    ids: [draft.id],
    edit: () => null,
    send: (options) => {
      isUndone = false;
      return api.post("/api/emails/drafts/{id}/send", { params: { id: draft.id }, key, ...options });
    },
    failed: m.notSent,
    alsoStale: ["email"],
    undo: { done: at ? m.scheduled : m.sent },
  }).then((sent) => {
    if (sent === null && isUndone) void openDraft(draft.id);
  });
}

export function discard(draft: Draft): void {
  void change<Draft, unknown>({
    kind: "draft",
    ids: [draft.id],
    edit: () => null,
    send: (options) => api.delete("/api/emails/drafts/{id}", { params: { id: draft.id }, ...options }),
    failed: m.notDiscarded,
    undo: { done: m.discarded },
  });
}
