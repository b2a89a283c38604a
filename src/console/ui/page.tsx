import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { place } from "../lib/router.ts";
import { shell } from "../messages/shell.ts";

interface PageProps {
  heading: string;
  /** Beside the heading. */
  actions?: ComponentChildren;
  /** Below the heading. */
  lead?: ComponentChildren;
  /** Above the heading, such as the way back. */
  before?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

/** A screen: its one `h1`, which has the focus after a navigation, and the title of the document. */
export function Page({ heading, actions, lead, before, children, class: name = "" }: PageProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = shell.title(heading);
  }, [heading]);
  useEffect(() => {
    const { count, keepsFocus, isReturn } = place.peek();
    if (count === 0 || keepsFocus) return;
    title.current?.focus({ preventScroll: true });
    if (!isReturn) scrollTo(0, 0);
  }, [heading]);
  return (
    <div class={`page ${name}`}>
      <header class="page-head cluster between">
        <div class="page-title">
          {before}
          <h1 ref={title} tabIndex={-1}>
            {heading}
          </h1>
          {lead && <p class="page-lead muted">{lead}</p>}
        </div>
        {actions && <div class="page-actions wrap">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
