import "../../base.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Captions } from "./captions.tsx";
import { Milestones } from "./milestones.tsx";
import { Overview } from "./overview.tsx";
import { Platforms } from "./platforms.tsx";
import { TABS, type Tab } from "./tabs.tsx";

export default function Streams({ params, query }: ScreenProps) {
  const tab: Tab = TABS.find((each) => each === params.tab) ?? "overview";
  if (tab === "captions") return <Captions query={query} />;
  if (tab === "milestones") return <Milestones />;
  if (tab === "platforms") return <Platforms />;
  return <Overview />;
}
