import "../../base.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Feed } from "../settings/calendars/feed.tsx";
import { closeDialogs } from "./close-dialogs.ts";

/** How calendar programs subscribe, as Settings say it, too. */
export function PhoneDialog() {
  return (
    <Dialog title={m.phone} onClose={closeDialogs}>
      <Feed />
    </Dialog>
  );
}
