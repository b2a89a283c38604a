import { mail as m } from "../../messages/mail.ts";

/** Unfolds what an email quotes of those it answers. */
export function QuoteButton({ isShown, onToggle }: { isShown: boolean; onToggle(): void }) {
  return (
    <button type="button" class="quote-button chip" aria-expanded={isShown} onClick={onToggle}>
      {isShown ? m.hideQuoted : m.showQuoted}
    </button>
  );
}
