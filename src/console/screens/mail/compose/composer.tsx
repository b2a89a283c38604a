import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask } from "../../../client/ask.ts";
import { attempt, undoToast } from "../../../client/notices.ts";
import { useHabits, useProfile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { addressesOf } from "../../../lib/people.ts";
import { firstNameOf, inserted } from "../../../lib/snippets.ts";
import { store, stored } from "../../../lib/storage.ts";
import { dayOf, writeDay } from "../../../lib/time.ts";
import { compose as m } from "../../../messages/compose.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { Field, Notes, TextAreaField, TextField, useDescribed } from "../../../ui/field.tsx";
import { PeopleInput } from "../../../ui/people-input.tsx";
import { useSnippets } from "../../../ui/snippet-list.tsx";
import { type Fields, type Problems, wrongAddress } from "./composition.ts";
import { DraftConflict } from "./conflict.tsx";
import { FileList, useDrop, useFiles } from "./files.tsx";
import { FollowUp } from "./follow-up-menu.tsx";
import { compositionOf } from "./kept-email.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { storeLeft } from "./left.ts";
import { Lookalikes, lookalikesIn } from "./lookalikes.tsx";
import { mentionsFile } from "./mentions-file.ts";
import { usePictures } from "./pictures.ts";
import { type EditorHandle, RichEditor } from "./rich/editor.tsx";
import { fragmentOfText, textOf } from "./rich/written.ts";
import type { SendLater } from "./send-later.tsx";
import { Sender } from "./sender.tsx";
import { deleteDraft, forgetFailure, mayDiscard, sendDraft } from "./sending.ts";
import { Signature } from "./signature.tsx";
import { deleteStored } from "./stored.ts";
import { useDraft } from "./use-draft.ts";
import {
  activate,
  type ComposeWindow,
  closeWindow,
  isActive,
  isPhone,
  minimize,
  register,
  restore,
} from "./windows.ts";
import type { WriteDialog } from "./write-dialog.tsx";

/** How long the window waits for the service before it closes, when something is not saved yet. */
const CLOSE_MS = 1500;

interface ComposerProps {
  window: ComposeWindow;
  /** Whether it stands below the message that it answers. */
  isInline: boolean;
}

/** Writing an email. It is kept as a draft at every change, so that closing the window loses nothing. */
export function Composer({ window: { id, composition: started, isMinimized }, isInline }: ComposerProps) {
  const kept = useDraft(started);
  const { draft, fields, revision, state, reason, theirs, isGone } = kept;
  const { decide, edit, replace, flush, changeFiles, stop, current } = kept;
  const habits = useHabits();
  const editor = useRef<EditorHandle | null>(null);
  const { uploading, add, remove, settled } = useFiles(changeFiles, (contentId) =>
    editor.current?.removePicture(contentId),
  );
  const root = useRef<HTMLElement>(null);
  const [isPlainChosen, setIsPlainChosen] = useState(() => stored("plain-text") === "yes");
  // What is formatted stays so until the person takes it off.
  const isPlain = isPlainChosen && fields.html === null;
  const pictures = usePictures({ draft, html: fields.html, isPlain, changeFiles });
  const isDropping = useDrop({ root, add, isMine: () => isActive(id), onPictures: addPictures });
  const [showsCopies, setShowsCopies] = useState(false);
  const [problems, setProblems] = useState<Problems>(started.problems ?? {});
  const [isLeaving, setIsLeaving] = useState(false);
  /** Dialogs that few emails need are loaded with the first one that does. */
  const [later, setLater] = useState<{ Dialog: typeof SendLater } | null>(null);
  const [writing, setWriting] = useState<{ Dialog: typeof WriteDialog } | null>(null);
  const openLater = () =>
    attempt(m.notLoaded, async () => setLater({ Dialog: (await import("./send-later.tsx")).SendLater }));
  const openWriting = () =>
    attempt(m.notLoaded, async () => setWriting({ Dialog: (await import("./write-dialog.tsx")).WriteDialog }));
  const chooser = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const text = useRef<HTMLElement | null>(null);
  const myName = useProfile()?.name ?? null;
  const snippets = useSnippets({
    field: text,
    known: () => ({
      firstName: firstNameOf(addressesOf(fields.to)[0] ?? ""),
      myName,
      date: writeDay(habits, dayOf(habits, new Date()), { day: "numeric", month: "long", year: "numeric" }),
    }),
    onInsert(insertion) {
      if (editor.current) {
        const { count, text: filled, caret } = insertion;
        editor.current.replaceBefore(count, filled.slice(0, caret), filled.slice(caret));
        return;
      }
      const area = text.current;
      if (!(area instanceof HTMLTextAreaElement)) return;
      const { value, caret } = inserted(fields.body, area.selectionStart, insertion);
      put("body", value);
      requestAnimationFrame(() => {
        area.focus();
        area.setSelectionRange(caret, caret);
      });
    },
  });
  const isForward = started.kind === "forward" || draft?.forwardOf != null;
  const hasOriginal = started.email !== null || draft?.inReplyTo != null || isForward;
  const answered = isForward ? null : (started.email?.id ?? draft?.inReplyTo ?? null);
  const body = useDescribed(undefined, problems.body);
  useEffect(() => {
    if (fields.cc || fields.bcc) setShowsCopies(true);
  }, [fields.cc !== "", fields.bcc !== ""]);

  const focusBody = () => (editor.current ? editor.current.focus() : focus("body"));
  const focus = (name: string) =>
    name === "body" && editor.current
      ? editor.current.focus()
      : form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
  useLayoutEffect(() => {
    const before = document.activeElement;
    const [wrong] = Object.keys(started.problems ?? {});
    if (wrong) focus(wrong);
    else if (started.kind === "new" || started.kind === "forward") focus(started.to ? "subject" : "to");
    else focusBody();
    // Once it stands where it belongs.
    if (isInline) requestAnimationFrame(() => root.current?.scrollIntoView({ block: "nearest" }));
    return () => {
      if (root.current?.contains(document.activeElement) && before instanceof HTMLElement && before.isConnected)
        before.focus();
    };
  }, []);
  useEffect(() => register(id, { draft: current, focus: focusBody }), []);

  function onClose(): void {
    forgetFailure(kept.place);
    closeWindow(id);
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
    // What has failed before is asked about: only the first try gets the benefit of the doubt.
    const unknown = state === "failed" ? false : null;
    const late = new Promise<typeof unknown>((resolve) => setTimeout(() => resolve(unknown), CLOSE_MS));
    const isSaved = kept.isUnsaved() ? await Promise.race([saved, late]) : true;
    if (isSaved === false) {
      restore(id);
      return setIsLeaving(true);
    }
    onClose();
    // It is on this device: what the service does not get now, it gets later.
    if (isSaved === null) void saved.then((done) => done || lookAfterLeft());
  }

  function hide(): void {
    const hadFocus = root.current?.contains(document.activeElement);
    void flush().catch(() => {});
    minimize(id);
    if (hadFocus) document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }

  /** Esc puts a window aside, with all that is in it. Below a message, there is no aside: it closes. */
  function leave(): void {
    if (isInline || kept.isFresh()) void close();
    else hide();
  }

  /** What the service would refuse. The first field that lacks something gets the focus. */
  function lacking(): Problems {
    const hasFile = uploading.length > 0 || (draft?.attachments.length ?? 0) > 0;
    const hasText = fields.body.trim() !== "" || fields.html !== null;
    return {
      ...(addressesOf(`${fields.to},${fields.cc},${fields.bcc}`).length === 0 && { to: m.noRecipient }),
      ...wrongIn(fields),
      ...(fields.subject.trim() === "" && { subject: m.noSubjectYet }),
      ...(!hasText && !hasFile && !isForward && { body: m.noText }),
    };
  }

  /** What a person may have overlooked. Resolves to whether it shall be sent. */
  async function isMeant(): Promise<boolean> {
    const word = mentionsFile(`${fields.subject}\n${fields.body}`);
    const hasFile = uploading.length > 0 || (draft?.attachments.length ?? 0) > 0;
    if (word && !hasFile && !(await ask({ ...m.forgotten(word), button: m.sendAnyway }))) return false;
    const [found] = lookalikesIn(fields);
    return !found || ask({ ...m.resembles(found.address, found.known), button: m.sendAnyway });
  }

  async function send(at: Date | null, { archives = false } = {}): Promise<void> {
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
    if (mayBeMistaken() && !(await isMeant())) return focusBody();
    kept.handOver();
    onClose();
    const isSent = await sendDraft({
      place: kept.place,
      id: current()?.id ?? null,
      at,
      async save() {
        await settled();
        await flush();
        await pictures.forgetUnused();
        const saved = current();
        if (!saved) throw new Error("the draft is not stored");
        return saved;
      },
      written: () => ({
        ...(compositionOf(kept.place) ?? { kind: started.kind, email: started.email, draft: current() }),
        place: kept.place,
      }),
    });
    if (isSent && archives && answered !== null)
      await (await import("./archive-answered.ts")).archiveAnswered(answered);
  }

  /** Known at once, so that an email without doubt leaves with the key that was pressed. */
  function mayBeMistaken(): boolean {
    return mentionsFile(`${fields.subject}\n${fields.body}`) !== null || lookalikesIn(fields).length > 0;
  }

  async function discard(): Promise<void> {
    const hasContent = fields.body.trim() !== "" || (current()?.attachments.length ?? 0) > 0;
    if (!(await mayDiscard(hasContent))) return;
    await discardNow();
  }

  async function discardNow(): Promise<void> {
    onClose();
    const last = await stop();
    if (last) deleteDraft(last);
  }

  function addPictures(given: readonly File[]): void {
    for (const file of given) {
      if (isPlain || !editor.current || !/^image\/(?:png|jpeg|gif|webp)$/.test(file.type)) {
        add([file]);
        continue;
      }
      const contentId = pictures.begin(file);
      editor.current.insertPicture(contentId, pictures.pictureOf(contentId) ?? "", file.name || m.pasted);
      add([file], contentId);
    }
  }

  function choosePlain(isChosen: boolean): void {
    const before = { body: fields.body, html: fields.html };
    setIsPlainChosen(isChosen);
    store("plain-text", isChosen ? "yes" : null);
    if (!isChosen || before.html === null) return;
    replace({ html: null });
    undoToast(m.rich.removed, {
      isOver() {},
      undo() {
        setIsPlainChosen(false);
        store("plain-text", null);
        replace(before);
      },
    });
  }

  const put = (key: keyof Problems, text: string) => {
    setProblems(({ [key]: _, ...rest }) => rest);
    edit({ [key]: text });
  };
  const people = (key: "to" | "cc" | "bcc") => (
    <Field label={m[key]} problem={problems[key]}>
      {(attributes) => (
        <PeopleInput
          {...attributes}
          name={key}
          value={fields[key]}
          onChange={(value) => put(key, value)}
          onBeyond={() => setShowsCopies(true)}
        />
      )}
    </Field>
  );
  const heading = m.headings[started.kind];
  const isWindow = !isInline;

  return (
    <section
      ref={root}
      role="dialog"
      aria-label={heading}
      aria-modal={isPhone.value && !isMinimized ? true : undefined}
      class="composer column"
      data-form={isInline ? "inline" : isMinimized ? "bar" : "window"}
      onFocusCapture={() => activate(id)}
      onKeyDown={(event) => {
        if (event.defaultPrevented || event.isComposing) return;
        const isMod = event.metaKey || event.ctrlKey;
        if (event.key === "Escape") {
          event.preventDefault();
          leave();
        } else if (event.key === "Enter" && isMod) {
          event.preventDefault();
          if (!event.shiftKey) void send(null);
          else if (answered !== null) void send(null, { archives: true });
        }
        // The keys of the screen are not meant here.
        if (!isMod) event.stopPropagation();
      }}
    >
      <header class="composer-head line gap-4">
        {isWindow ? (
          <button
            type="button"
            class="composer-title bare clip grow"
            aria-expanded={!isMinimized}
            onClick={() => (isMinimized ? restore(id) : hide())}
          >
            {isMinimized ? fields.subject.trim() || heading : heading}
          </button>
        ) : (
          <h3 class="composer-title clip grow">{heading}</h3>
        )}
        {isWindow && !isMinimized && <IconButton icon="minus" label={m.minimize} onClick={hide} />}
        <IconButton icon="close" label={m.close} onClick={() => void close()} />
      </header>
      <div class="composer-body column" hidden={isMinimized && isWindow}>
        <form
          ref={form}
          class="compose stack gap-8"
          data-dropping={isDropping}
          onSubmit={(event) => event.preventDefault()}
          onPaste={(event) => {
            if (event.defaultPrevented) return;
            const { files: pasted, types } = event.clipboardData ?? {};
            // Some programs copy a picture of the text beside it.
            if (!pasted?.length || types?.includes("text/plain")) return;
            event.preventDefault();
            add(pasted);
          }}
        >
          {isDropping && <p class="compose-drop">{m.drop}</p>}
          {theirs && <DraftConflict mine={fields} theirs={theirs} onDecide={decide} />}
          {isGone && <Callout role="alert">{m.isGone}</Callout>}
          <Sender value={fields.identityId} onChange={(identityId) => edit({ identityId })} />
          <div class="compose-to">
            {people("to")}
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
          <Lookalikes
            fields={fields}
            onUse={(address, other) =>
              edit(
                Object.fromEntries(
                  (["to", "cc", "bcc"] as const).map((key) => [key, fields[key].replaceAll(address, other)]),
                ),
              )
            }
          />
          <TextField
            label={m.subject}
            name="subject"
            maxLength={500}
            value={fields.subject}
            problem={problems.subject}
            onInput={(event) => put("subject", event.currentTarget.value)}
          />
          {isPlain ? (
            <TextAreaField
              label={m.body}
              name="body"
              rows={8}
              problem={problems.body}
              value={fields.body}
              {...snippets.attributes}
              onFocus={({ currentTarget }) => {
                text.current = currentTarget;
              }}
              onInput={({ currentTarget: { value, selectionStart } }) => {
                snippets.type(value.slice(0, selectionStart));
                put("body", value);
              }}
              onKeyDown={(event) => void snippets.press(event)}
              onBlur={snippets.close}
            />
          ) : (
            <div
              class="field stack gap-4"
              onFocusCapture={({ target }) => {
                if (target instanceof HTMLElement && target.isContentEditable) text.current = target;
              }}
              onKeyDownCapture={(event) => void snippets.press(event)}
              onBlurCapture={snippets.close}
            >
              <RichEditor
                value={{ body: fields.body, html: fields.html }}
                revision={revision}
                label={m.body}
                handle={editor}
                describedBy={body["aria-describedby"]}
                isInvalid={problems.body !== undefined}
                pictureOf={pictures.pictureOf}
                onPictures={addPictures}
                onType={snippets.type}
                onChange={(written) => {
                  setProblems(({ body: _, ...rest }) => rest);
                  edit(written);
                }}
              />
              <Notes of={body} problem={problems.body} />
            </div>
          )}
          {snippets.list}
          <Signature
            identityId={fields.identityId}
            text={fields.body}
            isOn={fields.signature}
            onRemove={() => edit({ signature: false })}
            onAdd={() => edit({ signature: true })}
          />
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
          <FileList
            files={pictures.listed}
            uploading={uploading}
            onRemove={({ id: fileId, contentId }) => {
              if (contentId !== null) editor.current?.removePicture(contentId);
              void remove(fileId);
            }}
          />
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
        <footer class="compose-foot line gap-4">
          <Button tone="primary" icon="send" onClick={() => void send(null)}>
            {m.send}
          </Button>
          {answered !== null && (
            <IconButton icon="archive" label={m.sendAndArchive} onClick={() => void send(null, { archives: true })} />
          )}
          <IconButton icon="clock" label={m.sendLater} onClick={() => void openLater()} />
          <FollowUp value={fields.followUpDays} onChange={(followUpDays) => edit({ followUpDays })} />
          <IconButton icon="paperclip" label={m.attach} onClick={() => chooser.current?.click()} />
          <IconButton
            icon="type"
            label={isPlain ? m.rich.formatted : m.rich.plain}
            onClick={() => choosePlain(!isPlain)}
          />
          {answered !== null && <IconButton icon="sparkle" label={m.ai.button} onClick={() => void openWriting()} />}
          <span class="compose-state hint" role="status">
            {{ saving: m.saving, saved: m.saved, failed: `${m.notSaved} ${reason}`, new: "" }[state]}
          </span>
          <IconButton icon="trash" label={m.discard} onClick={() => void discard()} />
        </footer>
      </div>
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
      {later && (
        <later.Dialog
          habits={habits}
          onClose={() => setLater(null)}
          onChoose={(at) => {
            setLater(null);
            void send(at);
          }}
        />
      )}
      {writing && answered !== null && (
        <writing.Dialog
          emailId={answered}
          onWritten={(text) => {
            const before = { body: fields.body, html: fields.html };
            replace({ body: normal(text), html: null });
            if (before.body.trim()) undoToast(m.ai.written, { isOver() {}, undo: () => replace(before) });
          }}
          onClose={() => setWriting(null)}
        />
      )}
    </section>
  );
}

/** As the editor would say it. */
function normal(text: string): string {
  const root = document.createElement("div");
  root.append(fragmentOfText(text));
  return textOf(root);
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
