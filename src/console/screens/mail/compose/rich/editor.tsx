import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import Squire from "squire-rte";
import { attempt } from "../../../../client/notices.ts";
import { compose as m } from "../../../../messages/compose.ts";
import { IconButton } from "../../../../ui/button.tsx";
import { fragmentOf } from "./clean.ts";
import type { LinkDialog } from "./link-dialog.tsx";
import { fragmentOfText, htmlOf, textOf } from "./written.ts";

/** The same words as text and, where they are formatted, as HTML. */
interface Written {
  body: string;
  html: string | null;
}

/** What others may do with the editor: snippets, the signature, files. */
export interface EditorHandle {
  focus(): void;
  /** At the caret, in place of what is selected. */
  insertText(text: string): void;
  /** In place of so many characters before the caret, which then stands between the two texts. */
  replaceBefore(count: number, text: string, after?: string): void;
  /** At the end. */
  append(text: string): void;
  insertPicture(contentId: string, address: string, name: string): void;
  removePicture(contentId: string): void;
}

interface EditorProps {
  /** What it starts with, and has again whenever `revision` changes: typing is faster than drawing. */
  value: Written;
  revision: number;
  label: string;
  handle: RefObject<EditorHandle | null>;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  /** Where the picture with this content id is; null if the draft does not have it. */
  pictureOf(contentId: string): string | null;
  onChange(written: Written): void;
  /** Pictures that were pasted into the text, or dropped on it. */
  onPictures(files: readonly File[]): void;
  /** After each key: the text of the line up to the caret. */
  onType?(before: string): void;
}

class Editor extends Squire {
  /** When its element is moved to another place of the page, the browser moves the selection out of it. */
  override getSelection(): Range {
    return this.ownRange(super.getSelection());
  }

  override setSelection(range: Range): this {
    super.setSelection(this.ownRange(range));
    return this;
  }

  private ownRange(range: Range): Range {
    if (this._root.contains(range.commonAncestorContainer)) return range;
    const end = document.createRange();
    const last = this._root.lastElementChild ?? this._root;
    end.setStart(last, last.lastChild?.nodeName === "BR" ? last.childNodes.length - 1 : last.childNodes.length);
    return end;
  }

  /** Squire writes its undo states back as markup, which the policy of the page refuses. */
  override _setRawHTML(html: string): this {
    const fragment = fragmentOf(html, { pictureOf: knownAddress, isOwn: true });
    this._root.replaceChildren(fragment);
    if (!this._root.firstChild) this._root.append(this.createDefaultBlock());
    this._ignoreChange = true;
    return this;
  }
}

/** Where the pictures of this page are, by their content ids. */
const addresses = new Map<string, string>();
const knownAddress = (contentId: string) => addresses.get(contentId) ?? null;

/** Loaded now, or shown as soon as it is. */
export function keepAddress(contentId: string, address: string): void {
  addresses.set(contentId, address);
  for (const picture of document.querySelectorAll<HTMLImageElement>(".rich img[data-cid]")) {
    if (picture.dataset.cid === contentId && !picture.src) picture.src = address;
  }
}

export const addressOf = knownAddress;

export function RichEditor(props: EditorProps) {
  const { revision, label, handle, describedBy, isInvalid = false } = props;
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const [path, setPath] = useState("");
  const [linking, setLinking] = useState<{ Dialog: typeof LinkDialog } | null>(null);
  const openLink = () =>
    void attempt(m.notLoaded, async () => setLinking({ Dialog: (await import("./link-dialog.tsx")).LinkDialog }));
  const latest = useRef(props);
  latest.current = props;
  /** What is put into the editor as a whole, in place of markup. */
  const content = useRef<DocumentFragment | null>(null);
  /** What the editor has, as it was told. */
  const shown = useRef<Written | null>(null);

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    const made = new Editor(element, {
      sanitizeToDOMFragment: (html) => content.current ?? fragmentOf(html, { pictureOf: knownAddress }),
    });
    editor.current = made;
    fill(latest.current.value);
    const tell = () => {
      const written = { body: textOf(element), html: htmlOf(element) };
      if (written.body === shown.current?.body && written.html === shown.current.html) return;
      shown.current = written;
      latest.current.onChange(written);
      latest.current.onType?.(beforeCaret(element));
    };
    made.addEventListener("input", tell);
    element.addEventListener("input", tell);
    made.addEventListener("pathChange", () => setPath(made.getPath()));
    made.addEventListener("pasteImage", (event: unknown) => {
      const { clipboardData } = (event as CustomEvent<{ clipboardData: DataTransfer }>).detail;
      latest.current.onPictures([...clipboardData.files]);
    });
    // Its own keys for a link and for the rest of what the toolbar has.
    made.setKeyHandler(MOD_K, (_, event) => {
      event.preventDefault();
      event.stopPropagation();
      openLink();
    });
    handle.current = handleOf(made, element);
    return () => {
      handle.current = null;
      made.destroy();
      element.removeEventListener("input", tell);
      editor.current = null;
    };
  }, []);

  function fill(written: Written): void {
    const made = editor.current;
    if (!made) return;
    shown.current = written;
    content.current =
      written.html === null
        ? fragmentOfText(written.body)
        : fragmentOf(written.html, { pictureOf: latest.current.pictureOf });
    made.setHTML("");
    content.current = null;
    if (document.activeElement === root.current) made.moveCursorToEnd();
  }

  // What comes from elsewhere: another window, the service, the assistant.
  useEffect(() => {
    const { body, html } = shown.current ?? { body: "", html: null };
    const { value } = latest.current;
    if (value.body !== body || value.html !== html) fill(value);
  }, [revision]);

  const act = (run: (made: Editor) => void) => () => {
    if (editor.current) run(editor.current);
    editor.current?.focus();
  };
  const has = (tag: string) => new RegExp(`(?:^|>)${tag}(?:>|$|[.#[])`).test(path);
  const toggles = [
    { tag: "B", icon: "bold", label: m.rich.bold, keys: "mod+b", on: bold, off: removeBold },
    { tag: "I", icon: "italic", label: m.rich.italic, keys: "mod+i", on: italic, off: removeItalic },
    { tag: "U", icon: "underline", label: m.rich.underline, keys: "mod+u", on: underline, off: removeUnderline },
    { tag: "UL", icon: "list", label: m.rich.bullets, on: bullets, off: removeList },
    { tag: "OL", icon: "numbers", label: m.rich.numbers, on: numbers, off: removeList },
    { tag: "BLOCKQUOTE", icon: "quote", label: m.rich.quote, on: quote, off: unquote },
  ];
  return (
    <div class="rich">
      <div class="rich-tools line gap-2" role="toolbar" aria-label={m.rich.toolbar} onKeyDown={moveAlong}>
        {toggles.map(({ tag, icon, label: name, keys, on, off }, at) => (
          <IconButton
            key={tag}
            icon={icon}
            label={name}
            {...(keys && { keys })}
            tabIndex={at === 0 ? 0 : -1}
            aria-pressed={has(tag)}
            onMouseDown={keepFocus}
            onClick={act(has(tag) ? off : on)}
          />
        ))}
        <IconButton
          icon="bookings"
          label={m.rich.link}
          keys="mod+k"
          tabIndex={-1}
          aria-pressed={has("A")}
          onMouseDown={keepFocus}
          onClick={openLink}
        />
      </div>
      <div
        onClickCapture={(event) => {
          // Its handles to resize are styled in a way that the policy of the page refuses.
          if (event.target instanceof HTMLImageElement) event.stopPropagation();
        }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: no element of a form holds formatted text. */}
        <div
          ref={root}
          class="input rich-text"
          role="textbox"
          tabIndex={0}
          aria-multiline="true"
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          data-name="body"
        />
      </div>
      {linking && (
        <linking.Dialog
          words={editor.current?.getSelectedText().trim() ?? ""}
          href={hrefAt(editor.current)}
          onClose={() => setLinking(null)}
          onChoose={(href, words) => {
            setLinking(null);
            const made = editor.current;
            if (!made) return;
            made.focus();
            if (href === "") made.removeLink();
            else if (made.getSelection().collapsed && hrefAt(made) === "") {
              const link = document.createElement("a");
              link.href = href;
              link.textContent = words || href.replace(/^mailto:/, "");
              made.saveUndoState();
              made.insertElement(link);
            } else made.makeLink(href);
          }}
        />
      )}
    </div>
  );
}

const MOD_K = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "Meta-k" : "Ctrl-k";

const bold = (made: Squire) => made.bold();
const removeBold = (made: Squire) => made.removeBold();
const italic = (made: Squire) => made.italic();
const removeItalic = (made: Squire) => made.removeItalic();
const underline = (made: Squire) => made.underline();
const removeUnderline = (made: Squire) => made.removeUnderline();
const bullets = (made: Squire) => made.makeUnorderedList();
const numbers = (made: Squire) => made.makeOrderedList();
const removeList = (made: Squire) => made.removeList();
const quote = (made: Squire) => made.increaseQuoteLevel();
const unquote = (made: Squire) => made.decreaseQuoteLevel();

/** A button of the toolbar leaves the selection where it is. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

/** Arrow keys go from button to button. */
function moveAlong(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll("button")];
  const at = document.activeElement instanceof HTMLButtonElement ? all.indexOf(document.activeElement) : -1;
  const next = all[(at + step + all.length) % all.length];
  for (const each of all) each.tabIndex = each === next ? 0 : -1;
  next?.focus();
}

function hrefAt(made: Squire | null): string {
  const node = made?.getSelection().startContainer;
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest("a")?.getAttribute("href") ?? "";
}

function beforeCaret(root: HTMLElement): string {
  const selection = getSelection();
  const node = selection?.anchorNode;
  if (!selection?.isCollapsed || !node || !root.contains(node) || node.nodeType !== Node.TEXT_NODE) return "";
  return (node.nodeValue ?? "").slice(0, selection.anchorOffset).replace(/\u200b/g, "");
}

function handleOf(made: Editor, root: HTMLElement): EditorHandle {
  return {
    focus: () => void made.focus(),
    insertText: (text) => void made.focus().insertPlainText(text, false),
    replaceBefore(count, text, after = "") {
      made.focus();
      const range = made.getSelection();
      if (range.startContainer.nodeType === Node.TEXT_NODE) {
        range.setStart(range.startContainer, Math.max(0, range.startOffset - count));
        made.setSelection(range);
      }
      made.insertPlainText(text, false);
      if (after === "") return;
      const caret = made.getSelection().cloneRange();
      made.insertPlainText(after, false);
      caret.collapse(true);
      made.setSelection(caret);
    },
    append(text) {
      made.saveUndoState();
      made.moveCursorToEnd().insertPlainText(text, false);
    },
    insertPicture(contentId, address, name) {
      addresses.set(contentId, address);
      made.focus();
      made.saveUndoState();
      made.insertImage(address, { "data-cid": contentId, alt: name });
    },
    removePicture(contentId) {
      for (const picture of root.querySelectorAll<HTMLImageElement>("img[data-cid]")) {
        if (picture.dataset.cid === contentId) picture.remove();
      }
    },
  };
}
