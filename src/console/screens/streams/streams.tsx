import { useCommands } from "../../lib/commands.ts";
import { navigate } from "../../lib/router.ts";
import { streams as m } from "../../messages/streams.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Captions } from "./captions.tsx";
import { Milestones } from "./milestones.tsx";
import { Overview } from "./overview.tsx";
import { Platforms } from "./platforms.tsx";
import { TABS, type Tab, tabHref } from "./tabs.tsx";

export default function Streams({ params, query }: ScreenProps) {
  const tab: Tab = TABS.find((each) => each === params.tab) ?? "overview";
  useCommands(
    () =>
      TABS.filter((each) => each !== "overview").map((each) => ({
        id: `streams-${each}`,
        label: `${m.heading}: ${m.tabs[each]}`,
        icon: "streams",
        run: () => navigate(tabHref(each)),
      })),
    [],
  );
  if (tab === "captions") return <Captions query={query} />;
  if (tab === "milestones") return <Milestones />;
  if (tab === "platforms") return <Platforms />;
  return <Overview />;
}
