import { withStyle } from "./lib/later-style.ts";
import { match } from "./lib/router.ts";
import type { Found, Screen, Screens } from "./shell/screen.ts";

const links = () => import("./screens/sign-in/links.ts");

/** Every screen, loaded when it is first shown. */
const SCREENS: readonly Screen[] = [
  { patterns: ["/app"], load: () => import("./screens/today/today.tsx") },
  { patterns: ["/app/tasks", "/app/tasks/:id"], load: () => import("./screens/tasks/tasks.tsx") },
  { patterns: ["/app/mail/files"], load: () => withStyle(import("./screens/mail/files.tsx")) },
  {
    patterns: ["/app/mail", "/app/mail/:box", "/app/mail/:box/:id"],
    load: () => import("./screens/mail/mail.tsx"),
  },
  {
    patterns: ["/app/calendar", "/app/calendar/:view", "/app/calendar/:view/:day"],
    load: () => withStyle(import("./screens/calendar/calendar.tsx")),
  },
  {
    patterns: ["/app/contacts", "/app/contacts/:id"],
    load: () => withStyle(import("./screens/contacts/contacts.tsx")),
  },
  { patterns: ["/app/bookings"], load: () => withStyle(import("./screens/bookings/bookings.tsx")) },
  { patterns: ["/app/streams", "/app/streams/:tab"], load: () => withStyle(import("./screens/streams/streams.tsx")) },
  { patterns: ["/app/chat", "/app/chat/:id"], load: () => import("./screens/chat/chat.tsx") },
  {
    patterns: ["/app/settings", "/app/settings/:page", "/app/settings/:page/:id"],
    load: () => withStyle(import("./screens/settings/settings.tsx")),
  },
  { patterns: ["/app/sign-in"], load: () => import("./screens/sign-in/sign-in.tsx"), isPublic: true },
  { patterns: ["/app/register"], load: () => import("./screens/sign-in/register.tsx"), isPublic: true },
  {
    patterns: ["/app/forgot"],
    load: async () => ({ default: (await links()).Forgot }),
    isPublic: true,
    isForAll: true,
  },
  { patterns: ["/app/reset"], load: async () => ({ default: (await links()).Reset }), isPublic: true, isForAll: true },
  {
    patterns: ["/app/verify"],
    load: async () => ({ default: (await links()).Verify }),
    isPublic: true,
    isForAll: true,
  },
];

function find(path: string): Found | null {
  for (const screen of SCREENS) {
    for (const pattern of screen.patterns) {
      const params = match(pattern, path);
      if (params) return { screen, params };
    }
  }
  return null;
}

/** Those that are loaded ahead, in one file. */
const ahead = () => import("./dialogs-ahead.ts");

export const screens: Screens = {
  find,
  dialogs: {
    palette: async () => ({ default: (await ahead()).Palette }),
    shortcuts: async () => ({ default: (await ahead()).Shortcuts }),
    "quick-add": async () => ({ default: (await ahead()).QuickAdd }),
    compose: () => withStyle(import("./screens/mail/compose/dock.tsx")),
    more: async () => ({ default: (await ahead()).More }),
    proof: () => import("./shell/proof-dialog.tsx"),
  },
  startEmail: async () => (await import("./screens/mail/compose/opening.ts")).startNew(),
  storeLeftEmails: async () => (await import("./screens/mail/compose/left.ts")).storeLeft(),
};
