import { useState } from "preact/hooks";
import { useService } from "../client/service.ts";
import { store, stored } from "../lib/storage.ts";
import { shell } from "../messages/shell.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";

/** Says that anyone may read and write here. On a machine of one's own that is fine, so it can be hidden. */
export function OpenModeBanner() {
  const service = useService();
  const [isHidden, setIsHidden] = useState(stored("open-mode-seen") === "yes");
  if (service?.accessMode !== "open" || isHidden) return null;
  return (
    <section class="banner line gap-12" aria-label={shell.openModeName}>
      <Icon name="info" />
      <p>{shell.openMode}</p>
      <IconButton
        icon="close"
        label={shell.openModeHide}
        onClick={() => {
          store("open-mode-seen", "yes");
          setIsHidden(true);
        }}
      />
    </section>
  );
}
