import type { components } from "#api";
import { queryClient } from "../../../client/queries.ts";

export type Mailbox = components["schemas"]["Mailbox"];
export type Preset = components["schemas"]["MailboxPresetList"]["data"][number];

export const rereadMailboxes = () => queryClient.invalidateQueries({ queryKey: ["mailbox"] });
