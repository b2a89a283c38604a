import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { keptNames } from "../client/kept.ts";
import { useProfile } from "../client/profile.ts";
import { useUntilBack } from "../client/reach.ts";
import { resume, session } from "../client/session.ts";
import { navigate, place, safeNext } from "../lib/router.ts";
import { shell } from "../messages/shell.ts";
import { Button } from "../ui/button.tsx";
import { openDialogs } from "../ui/dialog.tsx";
import { Notices } from "../ui/notices.tsx";
import { Page } from "../ui/page.tsx";
import { Pending, Skeleton } from "../ui/states.tsx";
import { Asked } from "./asked.tsx";
import { Brand } from "./brand.tsx";
import { Frame } from "./frame.tsx";
import { registerOwn } from "./keys.ts";
import { NotFound } from "./not-found.tsx";
import { preloadOverlays } from "./overlays.tsx";
import { keepPush } from "./push-device.ts";
import type { Found, ScreenProps, Screens } from "./screen.ts";

export function App({ screens }: { screens: Screens }) {
  return (
    <>
      <Boundary>
        <Entrance screens={screens} />
      </Boundary>
      <Asked />
      <Notices isCovered={openDialogs.value.length > 0} />
    </>
  );
}

/** Shows the screen of the address to whom it is for, and sends everybody else to sign in. */
function Entrance({ screens }: { screens: Screens }) {
  const { path, query } = place.value;
  const { status } = session.value;
  const found = screens.find(path);
  const isPublic = found?.screen.isPublic ?? false;
  const toSignIn = status === "out" && !isPublic;
  const toConsole = status === "in" && isPublic && !found?.screen.isForAll;

  useEffect(() => {
    if (toSignIn)
      navigate(`/app/sign-in?next=${encodeURIComponent(path + (query.size ? `?${query}` : ""))}`, { replace: true });
    if (toConsole) navigate(safeNext(query.get("next")), { replace: true });
  }, [toSignIn, toConsole, path, query]);

  useEffect(() => {
    if (status !== "in") return;
    const idle = setTimeout(() => {
      preloadOverlays(screens.dialogs);
      keepPush();
      if (keptNames("email:").length > 0) void screens.storeLeftEmails();
    }, 1500);
    const remove = registerOwn(screens);
    return () => {
      clearTimeout(idle);
      remove();
    };
  }, [status]);

  if (status === "unknown" || toSignIn || toConsole) return <div class="splash" />;
  if (status === "unreachable" && !isPublic) return <Unreachable />;
  if (isPublic && found) {
    return (
      <Outside>
        <ScreenView found={found} query={query} />
      </Outside>
    );
  }
  return (
    <Frame dialogs={screens.dialogs}>
      <Inside>
        {found ? <ScreenView found={found} query={query} /> : <NotFound href="/app" text={shell.notFound.home} />}
      </Inside>
    </Frame>
  );
}

/** Times are drawn by the profile, so it comes first. */
function Inside({ children }: { children: ComponentChildren }) {
  const profile = useProfile();
  return <>{profile ? children : <Skeleton />}</>;
}

const loaded = new Map<object, ComponentType<ScreenProps>>();

function ScreenView({ found: { screen, params }, query }: { found: Found; query: URLSearchParams }) {
  const [failure, setFailure] = useState<unknown>(null);
  const [, redraw] = useState(0);
  const Shown = loaded.get(screen);
  const load = () => {
    setFailure(null);
    screen.load().then(({ default: component }) => {
      loaded.set(screen, component);
      redraw((count) => count + 1);
    }, setFailure);
  };
  useEffect(() => {
    if (!loaded.has(screen)) load();
  }, [screen]);
  if (Shown) return <Shown params={params} query={query} />;
  // After a deployment the files of the older version are gone: the page has to be loaded again.
  return <Pending of={{ error: failure, retry: () => location.reload() }} />;
}

function Unreachable() {
  const { heading, text } = navigator.onLine ? shell.startUnreachable : shell.startOffline;
  useUntilBack(true, resume);
  return (
    <Outside>
      <Page heading={heading} lead={text}>
        <Button tone="primary" onClick={() => void resume()}>
          {shell.tryAgain}
        </Button>
      </Page>
    </Outside>
  );
}

/** A fault in one screen leaves a page that says so. */
class Boundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state = { error: null };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
  }

  render() {
    if (this.state.error === null) return this.props.children;
    return (
      <Outside>
        <Page heading={shell.notLoaded} lead={shell.somethingBroke}>
          <Button tone="primary" onClick={() => location.reload()}>
            {shell.reload}
          </Button>
        </Page>
      </Outside>
    );
  }
}

/** Around the pages that need no session. */
function Outside({ children }: { children: ComponentChildren }) {
  return (
    <div class="outside">
      <a class="skip" href="#main">
        {shell.skip}
      </a>
      <header>
        <Brand />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
