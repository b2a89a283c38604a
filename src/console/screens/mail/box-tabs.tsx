import { useGet } from "../../client/queries.ts";
import { mail as m } from "../../messages/mail.ts";
import { Icon } from "../../ui/icon.tsx";
import { BOX_ICONS, BOX_NAMES, type BoxName, unreadOf } from "./boxes.ts";

export function BoxTabs({ box }: { box: BoxName }) {
  const { data: counts } = useGet(["email", "boxes"], "/api/emails/boxes");
  return (
    <nav class="boxes" aria-label={m.boxesName}>
      <ul class="line gap-4">
        {BOX_NAMES.map((name) => {
          const unread = unreadOf(name, counts);
          const label = m.boxes[name];
          return (
            <li key={name}>
              <a class="item" href={`/app/mail/${name}`} aria-current={name === box ? "page" : undefined}>
                <Icon name={BOX_ICONS[name]} size={16} />
                <span>{label}</span>
                {unread > 0 && (
                  <span class="box-count">
                    {unread} <span class="visually-hidden">{m.unreadCount}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
