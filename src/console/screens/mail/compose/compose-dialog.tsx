import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { failureToast, undoToast } from "../../../client/notices.ts";
import { useHabits } from "../../../client/profile.ts";
import { queryClient, useQuery } from "../../../client/queries.ts";
import { compose as m } from "../../../messages/compose.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import { addressesOf, composition, type Draft } from "./composition.ts";
import { Conflict } from "./conflict.tsx";
import { FileList, useDrop, useFiles } from "./files.tsx";
import { SendLater } from "./send-later.tsx";
import { deleteDraft, mayDiscard, sendDraft } from "./sending.ts";
import { useDraft } from "./use-draft.ts";
import { WriteDialog } from "./write-dialog.tsx";

type Problems = Partial<Record<"to" | "subject" | "body", string>>;

/** Writing an email. It is kept as a draft at every change, so that closing the window loses nothing. */
export default function ComposeDialog({ onClose }: { onClose(): void }) {
  const [started] = useState(() => composition.peek());
  const { draft, fields, state, theirs, isGone, decide, edit, flush, changeFiles, stop, current } = useDraft(started);
  const habits = useHabits();
  const { uploading, add, remove, settled } = useFiles(changeFiles);
  const isDropping = useDrop(add);
  const [showsCopies, setShowsCopies] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [isLater, setIsLater] = useState(false);
  const [isWriting, setIsWriting] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const isForward = started.kind === "forward" || draft?.forwardOf != null;
  const hasOriginal = started.email !== null || draft?.inReplyTo != null || isForward;
  const answered = isForward ? null : (started.email?.id ?? draft?.inReplyTo ?? null);
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

  /** What the service would refuse. The first field that lacks something gets the focus. */
  function lacking(): Problems {
    const hasFile = uploading.length > 0 || (draft?.attachments.length ?? 0) > 0;
    const hasText = fields.body.trim() !== "" || (draft?.html ?? null) !== null;
    return {
      ...(addressesOf(`${fields.to},${fields.cc},${fields.bcc}`).length === 0 && { to: m.noRecipient }),
      ...(fields.subject.trim() === "" && { subject: m.noSubjectYet }),
      ...(!hasText && !hasFile && !isForward && { body: m.noText }),
    };
  }

  function send(at: Date | null): void {
    const found = lacking();
    setProblems(found);
    const first = Object.keys(found)[0];
    if (first) {
      form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
      return;
    }
    onClose();
    void sendDraft({
      id: current()?.id ?? null,
      at,
      async save() {
        await settled();
        await flush();
        const stored = current();
        if (!stored) throw new Error("the draft is not stored");
        return stored;
      },
      written: () => ({ kind: started.kind, email: started.email, draft: current(), fields }),
    });
  }

  async function discard(): Promise<void> {
    const hasContent = fields.body.trim() !== "" || (current()?.attachments.length ?? 0) > 0;
    if (!(await mayDiscard(hasContent))) return;
    onClose();
    const stored = await stop();
    if (stored) deleteDraft(stored);
  }

  const write = (key: keyof Problems) => (event: { currentTarget: { value: string } }) => {
    setProblems(({ [key]: _, ...rest }) => rest);
    edit({ [key]: event.currentTarget.value });
  };

  return (
    <Dialog
      title={m.headings[started.kind]}
      size="large"
      onClose={() => void close()}
      footer={
        <div class="compose-foot">
          <Button tone="primary" icon="send" onClick={() => send(null)}>
            {m.send}
          </Button>
          <IconButton icon="clock" label={m.sendLater} onClick={() => setIsLater(true)} />
          <IconButton icon="paperclip" label={m.attach} onClick={() => chooser.current?.click()} />
          {answered !== null && <IconButton icon="sparkle" label={m.ai.button} onClick={() => setIsWriting(true)} />}
          <span class="compose-state muted" role="status">
            {state === "saving" ? m.saving : state === "saved" ? m.saved : state === "failed" ? m.notSaved : ""}
          </span>
          <IconButton icon="trash" label={m.discard} onClick={() => void discard()} />
        </div>
      }
    >
      <form
        ref={form}
        class="compose"
        data-dropping={isDropping}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            send(null);
          }
        }}
        onPaste={(event) => {
          const { files, types } = event.clipboardData ?? {};
          // Some programs copy a picture of the text beside it.
          if (!files?.length || types?.includes("text/plain")) return;
          event.preventDefault();
          add(files);
        }}
      >
        {isDropping && <p class="compose-drop">{m.drop}</p>}
        {theirs && <Conflict mine={fields} theirs={theirs} onDecide={decide} />}
        {isGone && (
          <p class="held-back" role="alert">
            {m.isGone}
          </p>
        )}
        <Sender value={fields.identityId} onChange={(identityId) => edit({ identityId })} />
        <div class="compose-to">
          <TextField
            label={m.to}
            name="to"
            autocomplete="off"
            inputMode="email"
            autofocus={started.kind === "new" || started.kind === "forward"}
            value={fields.to}
            problem={problems.to}
            onInput={write("to")}
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
          name="subject"
          maxLength={500}
          value={fields.subject}
          problem={problems.subject}
          onInput={write("subject")}
        />
        <TextAreaField
          label={m.body}
          name="body"
          rows={10}
          hint={draft?.html != null ? m.isFormatted : undefined}
          problem={problems.body}
          autofocus={started.kind === "reply" || started.kind === "replyAll" || started.kind === "draft"}
          value={fields.body}
          onInput={write("body")}
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
            add([...(event.currentTarget.files ?? [])]);
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
            send(at);
          }}
        />
      )}
      {isWriting && answered !== null && (
        <WriteDialog
          emailId={answered}
          onWritten={(body) => {
            const before = fields.body;
            edit({ body });
            if (before.trim()) undoToast(m.ai.written, { isOver() {}, undo: () => edit({ body: before }) });
          }}
          onClose={() => setIsWriting(false)}
        />
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
