import type { SettingsProps } from "../page.ts";
import { Blocked } from "./blocked.tsx";
import { Identities } from "./identities.tsx";
import { Retention } from "./retention.tsx";
import { Rules } from "./rules.tsx";

export default function Email({ query }: SettingsProps) {
  const act = query.get("do");
  return (
    <>
      <Identities isAdding={act === "identity"} />
      <Rules isAdding={act === "rule"} sender={query.get("from")} />
      <Blocked isAdding={act === "block"} />
      <Retention />
    </>
  );
}
