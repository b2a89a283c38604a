import Calendars from "../calendars/calendars.tsx";
import Email from "../email/email.tsx";
import Lists from "../lists/lists.tsx";
import Notifications from "../notifications/notifications.tsx";
import type { Pages } from "../page.ts";
import Profile from "../profile/profile.tsx";
import WorkingHours from "../working-hours/working-hours.tsx";

export const pages: Pages = {
  profile: Profile,
  notifications: Notifications,
  "working-hours": WorkingHours,
  email: Email,
  lists: Lists,
  calendars: Calendars,
};
