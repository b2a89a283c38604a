import { Icon } from "./icon.tsx";

/** Opens a page elsewhere. */
export function JoinLink({ href, label, text }: { href: string; label: string; text: string }) {
  return (
    <a class="button quiet" href={href} target="_blank" rel="noreferrer" aria-label={label}>
      <Icon name="link" size={16} />
      <span>{text}</span>
    </a>
  );
}
