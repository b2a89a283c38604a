import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { shell } from "../messages/shell.ts";
import { IconButton } from "./button.tsx";
import { Notices } from "./notices.tsx";

/** The ids of the dialogs that are open, the topmost last. */
export const openDialogs = signal<readonly string[]>([]);

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
}

/**
 * A modal dialog. The browser's own element traps the focus, closes on Esc and gives the focus back; a click beside it
 * closes it too. Put `autofocus` on the field that people want first, otherwise the title has the focus.
 */
export function Dialog({ title, onClose, children, form = "dialog", actions, footer, size = "medium" }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const latest = useRef(onClose);
  latest.current = onClose;

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

  useEffect(() => {
    const dialog = element.current;
    const cancel = (event: Event) => {
      event.preventDefault();
      latest.current();
    };
    dialog?.addEventListener("cancel", cancel);
    return () => dialog?.removeEventListener("cancel", cancel);
  }, []);

  return (
    <dialog
      ref={element}
      class={`${form} ${size}`}
      {...(form === "palette" ? { "aria-label": title } : { "aria-labelledby": titleId })}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-body">
        {form !== "palette" && (
          <header class="dialog-head">
            <h2 id={titleId} tabIndex={-1}>
              {title}
            </h2>
            {actions}
            <IconButton icon="close" label={shell.close} onClick={onClose} />
          </header>
        )}
        <div class="dialog-content">{children}</div>
        {footer && <footer class="dialog-foot">{footer}</footer>}
      </div>
      <Notices isCovered={openDialogs.value.at(-1) !== titleId} />
    </dialog>
  );
}
