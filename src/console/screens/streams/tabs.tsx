import { streams as m } from "../../messages/streams.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { useCaptions } from "./data.ts";

export const TABS = ["overview", "captions", "milestones", "platforms"] as const;
export type Tab = (typeof TABS)[number];

const tabHref = (tab: Tab) => (tab === "overview" ? "/app/streams" : `/app/streams/${tab}`);

export function StreamTabs({ tab }: { tab: Tab }) {
  const { records } = useCaptions("open", "");
  const pending = records?.filter(({ status }) => status === "pending").length ?? 0;
  return (
    <Tabs
      label={m.tabsName}
      tabs={TABS.map((each) => ({
        href: tabHref(each),
        text: m.tabs[each],
        count: each === "captions" ? pending : 0,
        isCurrent: each === tab,
      }))}
    />
  );
}
