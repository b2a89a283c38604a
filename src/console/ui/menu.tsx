import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface MenuProps {
  /** The name of the button. */
  label: string;
  button?: ComponentChildren;
  buttonClass?: string;
  children: ComponentChildren;
  align?: "start" | "end";
}

/** A button with a popover of actions. Arrow keys move, Esc and a click elsewhere close it. */
export function Menu({
  label,
  button = <Icon name="more" />,
  buttonClass = "icon-button",
  children,
  align = "end",
}: MenuProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const menu = list.current;
    const onToggle = (event: Event) => {
      if (!(event instanceof ToggleEvent) || !menu || !opener.current) return;
      opener.current.setAttribute("aria-expanded", String(event.newState === "open"));
      if (event.newState !== "open") return;
      put(menu, opener.current, align);
      items(menu)[0]?.focus();
    };
    menu?.addEventListener("toggle", onToggle);
    return () => menu?.removeEventListener("toggle", onToggle);
  }, [align]);

  return (
    <>
      <button
        ref={opener}
        type="button"
        class={buttonClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded="false"
        popovertarget={id}
      >
        {button}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        class="menu"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={(event) => move(event, list.current)}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest("[role^=menuitem]")) list.current?.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}

function items(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}

/** Below what opens it, or above if there is no room: the keyboard of a phone may cover a part of the page. */
export function put(menu: HTMLElement, opener: HTMLElement, align: "start" | "end"): void {
  const box = opener.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const left = align === "end" ? box.right - width : box.left;
  const below = box.bottom + 4;
  const { offsetTop = 0, height: seen = innerHeight } = visualViewport ?? {};
  const top = below + height > offsetTop + seen ? Math.max(8, box.top - height - 4) : below;
  menu.style.left = `${Math.min(Math.max(8, left), innerWidth - width - 8)}px`;
  menu.style.top = `${top}px`;
}

function move(event: KeyboardEvent, menu: HTMLElement | null): void {
  if (!menu) return;
  const all = items(menu);
  const at = document.activeElement instanceof HTMLElement ? all.indexOf(document.activeElement) : -1;
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  all[(next + all.length) % all.length]?.focus();
}

interface MenuItemProps {
  icon?: string;
  label: string;
  href?: string;
  /** For one of several choices. */
  isChecked?: boolean;
  tone?: "danger";
  onChoose?(): void;
}

export function MenuItem({ icon, label, href, isChecked, tone, onChoose }: MenuItemProps) {
  const content = (
    <>
      {icon ? (
        <Icon name={icon} size={16} />
      ) : (
        <span class="icon-space">{isChecked && <Icon name="check" size={16} />}</span>
      )}
      <span>{label}</span>
    </>
  );
  if (href) {
    return (
      <a class="menu-item item" role="menuitem" href={href}>
        {content}
      </a>
    );
  }
  const choice =
    isChecked === undefined
      ? { role: "menuitem" as const }
      : { role: "menuitemradio" as const, "aria-checked": isChecked };
  return (
    <button type="button" class={`menu-item item ${tone ?? ""}`} {...choice} onClick={onChoose}>
      {content}
    </button>
  );
}

export function MenuGroup({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
    <div class="menu-group" role="group" aria-label={label}>
      <p class="menu-label" aria-hidden="true">
        {label}
      </p>
      {children}
    </div>
  );
}
