import { NotFound } from "../../shell/not-found.tsx";
import "../../base.ts";
import { useEffect, useState } from "preact/hooks";
import { useProfile } from "../../client/profile.ts";
import { place } from "../../lib/router.ts";
import { SETTINGS_PAGES, type SettingsPage, settingsPath } from "../../lib/settings-pages.ts";
import { settings as m } from "../../messages/settings.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Pending, Skeleton } from "../../ui/states.tsx";
import type { Pages, SettingsProps } from "./page.ts";

type Load = () => Promise<{ pages: Pages }>;

const sorting: Load = () => import("./groups/sorting.ts");
/** These are so large that they come apart from their group. */
const LOAD_APART: Partial<Record<SettingsPage["id"], Load>> = {
  email: sorting,
  lists: sorting,
  mailboxes: sorting,
  snippets: sorting,
};
/** The pages of a group come together: many small files would weigh more than a few larger ones. */
const LOAD: Record<SettingsPage["group"], Load> = {
  you: () => import("./groups/you.ts"),
  access: () => import("./groups/access.ts"),
  account: () => import("./groups/account.ts"),
  service: () => import("./groups/service.ts"),
};

/** A list of pages beside the page; on phones the list first, then the page. */
export default function Settings({ params, query }: ScreenProps) {
  const profile = useProfile();
  const shown = SETTINGS_PAGES.find(({ id }) => id === params.page);
  if (!profile) return <Skeleton />;
  const pages = SETTINGS_PAGES.filter(({ isOwners }) => !isOwners || profile.role === "owner");
  if (params.page === undefined) return <Overview pages={pages} />;
  if (!shown) return <NotFound href="/app/settings" text={m.back} />;
  return (
    <div class="settings">
      <nav class="settings-nav" aria-label={m.navigation}>
        <PageList pages={pages} current={shown} />
      </nav>
      <Page heading={shown.label} lead={m.texts[shown.id]} class="settings-page" before={<BackLink />}>
        {shown.isOwners && profile.role !== "owner" ? (
          <Empty icon="shield" title={m.onlyOwner} text={m.onlyOwnerText} />
        ) : (
          // An action of the palette begins anew each time, also on the page where one is.
          <PageView
            key={query.has("do") ? place.value.count : shown.id}
            page={shown}
            profile={profile}
            id={params.id}
            query={query}
          />
        )}
      </Page>
    </div>
  );
}

function BackLink() {
  return (
    <a class="settings-back disclose" href="/app/settings">
      <Icon name="left" size={16} />
      {m.back}
    </a>
  );
}

function Overview({ pages }: { pages: readonly SettingsPage[] }) {
  return (
    <Page heading={m.heading} lead={m.lead} class="settings-overview">
      <PageList pages={pages} hasTexts />
      <a class="settings-licenses" href="/app/licenses.txt">
        {m.licenses}
      </a>
    </Page>
  );
}

interface PageListProps {
  pages: readonly SettingsPage[];
  current?: SettingsPage;
  hasTexts?: boolean;
}

function PageList({ pages, current, hasTexts = false }: PageListProps) {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return (
    <>
      {groups.map((group) => (
        <section key={group} class="settings-group">
          <h2>{m.groups[group]}</h2>
          <ul class={hasTexts ? "tiles" : undefined}>
            {pages
              .filter((each) => each.group === group)
              .map((each) => (
                <li key={each.id}>
                  <a
                    class={hasTexts ? "card line gap-12" : "item"}
                    href={settingsPath(each.id)}
                    aria-current={each === current ? "page" : undefined}
                  >
                    <Icon name={each.icon} />
                    <span class="stack gap-0 grow">
                      {hasTexts ? <strong>{each.label}</strong> : each.short}
                      {hasTexts && <small>{m.texts[each.id]}</small>}
                    </span>
                    {hasTexts && <Icon name="right" size={16} />}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const loaded: Pages = {};

function PageView({ page, ...rest }: SettingsProps & { page: SettingsPage }) {
  const [failure, setFailure] = useState<unknown>(null);
  const [, redraw] = useState(0);
  const Shown = loaded[page.id];
  useEffect(() => {
    if (loaded[page.id]) return;
    (LOAD_APART[page.id] ?? LOAD[page.group])().then(({ pages }) => {
      Object.assign(loaded, pages);
      redraw((count) => count + 1);
    }, setFailure);
  }, [page.id]);
  if (Shown) return <Shown {...rest} />;
  return <Pending of={{ error: failure, retry: () => location.reload() }} />;
}
