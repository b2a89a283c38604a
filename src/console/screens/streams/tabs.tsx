import { streams as m } from "../../messages/streams.ts";
import { useCaptions } from "./data.ts";

export const TABS = ["overview", "captions", "milestones", "platforms"] as const;
export type Tab = (typeof TABS)[number];

/** Links to the pages of the screen. */
export function StreamTabs({ tab }: { tab: Tab }) {
  const { records } = useCaptions("open", "");
  const pending = records?.filter(({ status }) => status === "pending").length ?? 0;
  return (
    <nav class="tabs" aria-label={m.tabsName}>
      <ul class="line gap-4">
        {TABS.map((each) => (
          <li key={each}>
            <a
              class="line inline gap-6"
              href={each === "overview" ? "/app/streams" : `/app/streams/${each}`}
              aria-current={each === tab ? "page" : undefined}
            >
              {m.tabs[each]}
              {each === "captions" && pending > 0 && <span class="tab-count">{pending}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
