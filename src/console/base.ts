/*
 * What every screen uses. Each part that is loaded on demand imports it, so that the build puts it into one file, which
 * the page loads first, instead of one for each set of screens that share a module.
 */
import "./client/avatar.ts";
import "./client/changes.ts";
import "./client/events.ts";
import "./client/kept.ts";
import "./client/profile.ts";
import "./client/service.ts";
import "./lib/commands.ts";
import "./lib/overlays.ts";
import "./lib/router.ts";
import "./lib/settings-pages.ts";
import "./lib/time.ts";
import "./shell/navigation.tsx";
import "./ui/field.tsx";
import "./ui/menu.tsx";
import "./ui/page.tsx";
import "./ui/states.tsx";
