import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface CardProps {
  heading: ComponentChildren;
  /** Beside the heading. */
  actions?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

/** A part of a screen, with a heading and an edge. */
export function Card({ heading, actions, class: name = "", children }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${name}`} aria-labelledby={id}>
      <header class="card-head line between gap-12">
        <h2 id={id}>{heading}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
