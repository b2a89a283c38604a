import { render } from "preact";
import { startLive } from "./client/live.ts";
import { resume } from "./client/session.ts";
import { place, startRouter } from "./lib/router.ts";
import { startShortcuts } from "./lib/shortcuts.ts";
import { screens } from "./screens.ts";
import { App } from "./shell/app.tsx";
import { keepShell } from "./shell/keep-shell.ts";

startRouter();
startShortcuts();
startLive();
void resume();
// At the same time as the session: both are needed before anything can be drawn.
void screens
  .find(place.value.path)
  ?.screen.load()
  .catch(() => {});

const root = document.getElementById("app");
if (root) render(<App screens={screens} />, root);
keepShell();
