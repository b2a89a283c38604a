import { Callout } from "../../../ui/callout.tsx";
import "../../../base.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import { undoToast } from "../../../client/notices.ts";
import { useHabits, useProfile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { addressesOf } from "../../../lib/people.ts";
import { firstNameOf, inserted } from "../../../lib/snippets.ts";
import { dayOf, writeDay } from "../../../lib/time.ts";
import { compose as m } from "../../../messages/compose.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field, TextAreaField, TextField } from "../../../ui/field.tsx";
import { PeopleInput } from "../../../ui/people-input.tsx";
import { useSnippets } from "../../../ui/snippet-list.tsx";
import { FollowUp } from "../follow-up.tsx";
import { composition, type Fields, type Problems, wrongAddress } from "./composition.ts";
import { DraftConflict } from "./conflict.tsx";
import { FileList, useDrop, useFiles } from "./files.tsx";
import { compositionOf } from "./kept-email.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { storeLeft } from "./left.ts";
import { SendLater } from "./send-later.tsx";
import { Sender } from "./sender.tsx";
import { deleteDraft, forgetFailure, mayDiscard, sendDraft } from "./sending.ts";
import { deleteStored } from "./stored.ts";
import { useDraft } from "./use-draft.ts";
import { WriteDialog } from "./write-dialog.tsx";

/** How long the window waits for the service before it closes, when something is not saved yet. */
const CLOSE_MS = 1500;

/** Writing an email. It is kept as a draft at every change, so that closing the window loses nothing. */
export default function ComposeDialog({ onClose: closeWindow }: { onClose(): void }) {
  const [started] = useState(() => composition.peek());
  const kept = useDraft(started);
  const { draft, fields, state, reason, theirs, isGone, decide, edit, flush, changeFiles, stop, current } = kept;
  const habits = useHabits();
  const { uploading, add, remove, settled } = useFiles(changeFiles);
  const isDropping = useDrop(add);
  const [showsCopies, setShowsCopies] = useState(false);
  const [problems, setProblems] = useState<Problems>(started.problems ?? {});
  const [isLeaving, setIsLeaving] = useState(false);
  const [isLater, setIsLater] = useState(false);
  const [isWriting, setIsWriting] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const text = useRef<HTMLTextAreaElement | null>(null);
  const myName = useProfile()?.name ?? null;
  const snippets = useSnippets({
    field: text,
    known: () => ({
      firstName: firstNameOf(addressesOf(fields.to)[0] ?? ""),
      myName,
      date: writeDay(habits, dayOf(habits, new Date()), { day: "numeric", month: "long", year: "numeric" }),
    }),
    onInsert(insertion) {
      if (!text.current) return;
      const { value, caret } = inserted(fields.body, text.current.selectionStart, insertion);
      put("body", value);
      requestAnimationFrame(() => {
        text.current?.focus();
        text.current?.setSelectionRange(caret, caret);
      });
    },
  });
  const isForward = started.kind === "forward" || draft?.forwardOf != null;
  const hasOriginal = started.email !== null || draft?.inReplyTo != null || isForward;
  const answered = isForward ? null : (started.email?.id ?? draft?.inReplyTo ?? null);
  useEffect(() => {
    if (fields.cc || fields.bcc) setShowsCopies(true);
  }, [fields.cc !== "", fields.bcc !== ""]);

  function onClose(): void {
    forgetFailure(kept.place);
    closeWindow();
  }

  /** Closes when all is saved. If that cannot be done, the person decides. */
  async function close(): Promise<void> {
    const untouched = kept.untouched();
    if (untouched) {
      onClose();
      await deleteStored(untouched.id).catch(() => {});
      void queryClient.invalidateQueries({ queryKey: ["draft"] });
      return;
    }
    if (theirs) return setIsLeaving(true);
    const saved = flush().then(
      () => true,
      () => false,
    );
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), CLOSE_MS));
    const isSaved = kept.isUnsaved() ? await Promise.race([saved, late]) : true;
    if (isSaved === false) return setIsLeaving(true);
    onClose();
    // It is on this device: what the service does not get now, it gets later.
    if (isSaved === null) void saved.then((done) => done || lookAfterLeft());
  }

  /** What the service would refuse. The first field that lacks something gets the focus. */
  function lacking(): Problems {
    const hasFile = uploading.length > 0 || (draft?.attachments.length ?? 0) > 0;
    const hasText = fields.body.trim() !== "" || (draft?.html ?? null) !== null;
    return {
      ...(addressesOf(`${fields.to},${fields.cc},${fields.bcc}`).length === 0 && { to: m.noRecipient }),
      ...wrongIn(fields),
      ...(fields.subject.trim() === "" && { subject: m.noSubjectYet }),
      ...(!hasText && !hasFile && !isForward && { body: m.noText }),
    };
  }

  function send(at: Date | null): void {
    // Two texts: which of them is meant?
    if (theirs) {
      form.current?.querySelector<HTMLElement>(".conflict button")?.focus();
      return;
    }
    const found = lacking();
    setProblems(found);
    const first = Object.keys(found)[0];
    if (first) {
      focus(first);
      return;
    }
    kept.handOver();
    onClose();
    void sendDraft({
      place: kept.place,
      id: current()?.id ?? null,
      at,
      async save() {
        await settled();
        await flush();
        const stored = current();
        if (!stored) throw new Error("the draft is not stored");
        return stored;
      },
      written: () => ({
        ...(compositionOf(kept.place) ?? { kind: started.kind, email: started.email, draft: current() }),
        place: kept.place,
      }),
    });
  }

  const focus = (name: string) => form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
  useEffect(() => {
    const [first] = Object.keys(started.problems ?? {});
    if (first) focus(first);
  }, []);

  async function discard(): Promise<void> {
    const hasContent = fields.body.trim() !== "" || (current()?.attachments.length ?? 0) > 0;
    if (!(await mayDiscard(hasContent))) return;
    await discardNow();
  }

  async function discardNow(): Promise<void> {
    onClose();
    const stored = await stop();
    if (stored) deleteDraft(stored);
  }

  const put = (key: keyof Problems, text: string) => {
    setProblems(({ [key]: _, ...rest }) => rest);
    edit({ [key]: text });
  };
  const write = (key: keyof Problems) => (event: { currentTarget: { value: string } }) =>
    put(key, event.currentTarget.value);
  const people = (key: "to" | "cc" | "bcc", autofocus = false) => (
    <Field label={m[key]} problem={problems[key]}>
      {(attributes) => (
        <PeopleInput
          {...attributes}
          name={key}
          autofocus={autofocus}
          value={fields[key]}
          onChange={(text) => put(key, text)}
          onBeyond={() => setShowsCopies(true)}
        />
      )}
    </Field>
  );

  return (
    <Dialog
      title={m.headings[started.kind]}
      size="large"
      typed="none"
      onClose={() => void close()}
      footer={
        <div class="compose-foot line gap-4 grow">
          <Button tone="primary" icon="send" onClick={() => send(null)}>
            {m.send}
          </Button>
          <IconButton icon="clock" label={m.sendLater} onClick={() => setIsLater(true)} />
          <FollowUp value={fields.followUpDays} onChange={(followUpDays) => edit({ followUpDays })} />
          <IconButton icon="paperclip" label={m.attach} onClick={() => chooser.current?.click()} />
          {answered !== null && <IconButton icon="sparkle" label={m.ai.button} onClick={() => setIsWriting(true)} />}
          <span class="compose-state hint" role="status">
            {{ saving: m.saving, saved: m.saved, failed: `${m.notSaved} ${reason}`, new: "" }[state]}
          </span>
          <IconButton icon="trash" label={m.discard} onClick={() => void discard()} />
        </div>
      }
    >
      <form
        ref={form}
        class="compose stack gap-12"
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
        {theirs && <DraftConflict mine={fields} theirs={theirs} onDecide={decide} />}
        {isGone && <Callout role="alert">{m.isGone}</Callout>}
        <Sender value={fields.identityId} onChange={(identityId) => edit({ identityId })} />
        <div class="compose-to">
          {people("to", started.kind === "new" || started.kind === "forward")}
          {!showsCopies && (
            <Button tone="quiet" onClick={() => setShowsCopies(true)}>
              {m.addCc}
            </Button>
          )}
        </div>
        {showsCopies && (
          <>
            {people("cc")}
            {people("bcc")}
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
          {...snippets.attributes}
          onFocus={({ currentTarget }) => {
            text.current = currentTarget;
          }}
          onInput={(event) => {
            const { value, selectionStart } = event.currentTarget;
            snippets.type(value.slice(0, selectionStart));
            write("body")(event);
          }}
          onKeyDown={(event) => void snippets.press(event)}
          onBlur={snippets.close}
        />
        {snippets.list}
        {hasOriginal && (
          <label class="compose-quote line muted">
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
      {isLeaving && (
        <LeaveDialog
          reason={theirs ? m.conflict : reason}
          onClose={() => setIsLeaving(false)}
          onDiscard={() => void discardNow()}
          onLeave={() => {
            onClose();
            lookAfterLeft();
          }}
        />
      )}
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

/** What nobody could send to. */
function wrongIn(fields: Fields): Problems {
  const names = ["to", "cc", "bcc"] as const;
  const found = names.flatMap((name) => {
    const wrong = wrongAddress(fields[name]);
    return wrong === undefined ? [] : [[name, m.noAddress(wrong)]];
  });
  return Object.fromEntries(found);
}

function lookAfterLeft(): void {
  setTimeout(() => void storeLeft(), 300);
}
