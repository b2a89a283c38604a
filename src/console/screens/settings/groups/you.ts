import "../../../base.ts";
import Calendars from "../calendars/calendars.tsx";
import Notifications from "../notifications/notifications.tsx";
import type { Pages } from "../page.ts";
import Profile from "../profile/profile.tsx";
import WorkingHours from "../working-hours/working-hours.tsx";

export const pages: Pages = {
  profile: Profile,
  notifications: Notifications,
  "working-hours": WorkingHours,
  calendars: Calendars,
};
