import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { withStyle } from "../../lib/later-style.ts";
import type { TimeHabits } from "../../lib/time.ts";
import type { Email } from "./boxes.ts";

interface CardsProps {
  emailId: number;
  habits: TimeHabits;
}

let loaded: ComponentType<CardsProps> | undefined;

const CALENDAR_FILE = /\.(?:ics|vcs)$/i;

/** Whether an email may hold an invitation. Those of suspected spam are not shown. */
export function mayInvite({ direction, status, kind, attachments }: Email, body = ""): boolean {
  if (direction !== "inbound" || status === "spam") return false;
  const hasFile = attachments.some(({ type, name }) => type === "text/calendar" || CALENDAR_FILE.test(name));
  return kind === "invitation" || hasFile || /^BEGIN:VCALENDAR\s*$/m.test(body);
}

/** Few emails invite: what shows it is loaded with the first that does. */
export function Invitations(props: CardsProps) {
  const [, redraw] = useState(0);
  useEffect(() => {
    if (loaded) return;
    withStyle(import("./invitation-card.tsx")).then(
      (module) => {
        loaded = module.default;
        redraw((count) => count + 1);
      },
      () => {},
    );
  }, []);
  const Cards = loaded;
  return Cards ? <Cards {...props} /> : null;
}
