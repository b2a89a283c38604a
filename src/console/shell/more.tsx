import { shell } from "../messages/shell.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { UNDER_MORE } from "./navigation.tsx";

/** The places that have no room in a phone's bar. */
export default function More({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={shell.more} onClose={onClose} size="small">
      <ul class="more-list">
        {UNDER_MORE.map(({ href, icon, label }) => (
          <li key={href}>
            <a class="item" href={href} onClick={onClose}>
              <Icon name={icon} />
              <span>{label}</span>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
