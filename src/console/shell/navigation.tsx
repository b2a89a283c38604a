import { openOverlay } from "../lib/overlays.ts";
import { isCurrent, type MainPlace, PLACES } from "../lib/places.ts";
import { shell } from "../messages/shell.ts";
import { Icon } from "../ui/icon.tsx";
import { Keys } from "../ui/keys.tsx";

/** How many of the places a phone's bar shows beside More. */
const ON_PHONES = 4;
export const UNDER_MORE: readonly MainPlace[] = PLACES.length > ON_PHONES + 1 ? PLACES.slice(ON_PHONES) : [];

export function Navigation({ path }: { path: string }) {
  return (
    <nav class="main-nav" aria-label={shell.mainNavigation}>
      <ul class="stack gap-2">
        {PLACES.map((each) => (
          <li key={each.href} class={UNDER_MORE.includes(each) ? "under-more" : ""}>
            <a class="item" href={each.href} aria-current={isCurrent(each, path) ? "page" : undefined}>
              <Icon name={each.icon} />
              <span>{each.label}</span>
              <Keys keys={each.keys} />
            </a>
          </li>
        ))}
        {UNDER_MORE.length > 0 && (
          <li class="more">
            <button
              type="button"
              class="item"
              aria-haspopup="dialog"
              data-current={UNDER_MORE.some((each) => isCurrent(each, path))}
              onClick={() => openOverlay("more")}
            >
              <Icon name="more" />
              <span>{shell.more}</span>
            </button>
          </li>
        )}
      </ul>
    </nav>
  );
}
