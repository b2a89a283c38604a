import { shell } from "../messages/shell.ts";

export function Brand() {
  return (
    <a class="brand line inline gap-10" href="/app" aria-label={shell.product}>
      <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <rect width="24" height="24" rx="6" class="brand-tile" />
        <path d="m7.200 12.300 3.200 3.200 6.300-7" class="brand-tick" />
      </svg>
      <span>Assistant</span>
    </a>
  );
}
