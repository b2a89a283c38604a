import { followUp as t } from "../../../messages/follow-up.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";

const DAYS = [1, 3, 7, 14] as const;

/** After how many days without a reply an email comes back. */
export function FollowUp({ value, onChange }: { value: number | null; onChange(days: number | null): void }) {
  return (
    <Menu
      label={value ? t.chosen(value) : t.label}
      button={
        <>
          <Icon name="bell" />
          {value && <span class="hint">{t.days(value)}</span>}
        </>
      }
      buttonClass={value ? "button quiet" : "icon-button"}
      align="start"
    >
      {DAYS.map((days) => (
        <MenuItem key={days} icon="bell" label={t.after(days)} onChoose={() => onChange(days)} />
      ))}
      {value && <MenuItem icon="close" label={t.off} onChoose={() => onChange(null)} />}
    </Menu>
  );
}
