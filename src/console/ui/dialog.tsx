import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { shell } from "../messages/shell.ts";
import { Button, IconButton } from "./button.tsx";
import { Callout } from "./callout.tsx";
import { Notices } from "./notices.tsx";
import { useTyped } from "./typed.ts";

/** The ids of the dialogs that are open, the topmost last. */
export const openDialogs = signal<readonly string[]>([]);

/** Esc closes it first. */
const isMenuOpen = () => document.querySelector("[popover]:popover-open") !== null;

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** `sheet` comes from the side and leaves the list visible; `palette` has no heading of its own. */
  form?: "dialog" | "sheet" | "palette";
  /** Beside the title. */
  actions?: ComponentChildren;
  /** Below the content, always visible. */
  footer?: ComponentChildren;
  size?: "small" | "medium" | "large";
  /**
   * What Esc, the cross and a click beside it do with what was typed. `ask`: a question comes first. `save`: the field is
   * left, which saves it. `none`: nothing can be lost, because the dialog keeps it itself or holds no content.
   */
  typed?: "ask" | "save" | "none";
  /** Whether there is something to lose, for a dialog that keeps what is typed in it by itself. */
  isChanged?: boolean | undefined;
}

/**
 * A modal dialog. The browser's own element traps the focus, closes on Esc and gives the focus back; a click beside it
 * closes it too. Put `autofocus` on the field that people want first, otherwise the title has the focus.
 */
export function Dialog({
  title,
  onClose,
  children,
  form = "dialog",
  actions,
  footer,
  size = "medium",
  typed = form === "palette" ? "none" : "ask",
  isChanged,
}: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [isAsking, setIsAsking] = useState(false);
  const content = useTyped(element, typed === "ask" && isChanged === undefined ? title : null);
  const leave = () => {
    if (typed === "ask" && (isChanged ?? content.isChanged())) {
      content.hold();
      setIsAsking(true);
      return;
    }
    if (typed === "save" && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    content.forget();
    onClose();
  };
  const latest = useRef(leave);
  latest.current = leave;

  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    openDialogs.value = [...openDialogs.peek(), titleId];
    return () => {
      openDialogs.value = openDialogs.peek().filter((id) => id !== titleId);
      dialog?.close();
      // Preact removes the element before the browser can give the focus back.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  // With the effect above: a dialog that can be seen can be left, too.
  useLayoutEffect(() => {
    const dialog = element.current;
    // Others cancel inside it, too, such as a file picker that is closed without a choice.
    const cancel = (event: Event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      latest.current();
    };
    // A browser may close it without asking, such as at a second Esc in a row.
    const close = (event: Event) => {
      if (event.target !== dialog || !dialog?.isConnected) return;
      dialog.showModal();
      latest.current();
    };
    dialog?.addEventListener("cancel", cancel);
    dialog?.addEventListener("close", close);
    return () => {
      dialog?.removeEventListener("cancel", cancel);
      dialog?.removeEventListener("close", close);
    };
  }, []);

  return (
    <dialog
      ref={element}
      class={`${form} ${size}`}
      {...(form === "palette" ? { "aria-label": title } : { "aria-labelledby": titleId })}
      onMouseDown={(event) => {
        if (event.target === element.current) leave();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || isMenuOpen()) return;
        // Left to the browser, an Esc without typing before it goes to all dialogs: the question below and the form.
        event.preventDefault();
        event.stopPropagation();
        leave();
      }}
    >
      <div class="dialog-body column">
        {form !== "palette" && (
          <header class="dialog-head line gap-4">
            <h2 id={titleId} class="grow" tabIndex={-1}>
              {title}
            </h2>
            {actions}
            <IconButton icon="close" label={shell.close} onClick={leave} />
          </header>
        )}
        <div class="dialog-content">
          {content.isBack && <Callout role="status">{shell.discard.isBack}</Callout>}
          {children}
        </div>
        {footer && <footer class="dialog-foot wrap">{footer}</footer>}
      </div>
      {isAsking && (
        <Dialog
          title={shell.discard.title}
          size="small"
          typed="none"
          onClose={() => setIsAsking(false)}
          footer={
            <>
              <Button autofocus onClick={() => setIsAsking(false)}>
                {shell.discard.keep}
              </Button>
              <Button
                tone="danger"
                onClick={() => {
                  content.forget();
                  onClose();
                }}
              >
                {shell.discard.button}
              </Button>
            </>
          }
        >
          <p>{shell.discard.text}</p>
        </Dialog>
      )}
      <Notices isCovered={openDialogs.value.at(-1) !== titleId} />
    </dialog>
  );
}
