import type { KeptData } from "../../db/personal-data.ts";
import { keptAiKeys } from "../ai-keys/personal-data.ts";
import { keptAiCalls, keptTokens } from "../ai-models/tokens/personal-data.ts";
import { keptIdentity } from "../auth/personal-data.ts";
import { keptBilling } from "../billing/personal-data.ts";
import { keptBookingConnection, keptSyncRuns } from "../bookingsvc/personal-data.ts";
import { keptEvents, keptWorkingHours } from "../calendar/personal-data.ts";
import { keptConversations } from "../chat/personal-data.ts";
import { keptMail } from "../emails/personal-data.ts";
import { keptPreferences, keptProfile } from "../profile/personal-data.ts";
import { keptPosts } from "../stream/captions/personal-data.ts";
import { keptStreams } from "../stream/personal-data.ts";
import { keptTasks } from "../tasks/personal-data.ts";
import { keptWebhooks } from "../webhooks/personal-data.ts";

/** Everything the service keeps. A feature that keeps more adds its line: it is then exported, and erased. */
export const KEPT_DATA: readonly KeptData[] = [
  ...keptIdentity,
  keptProfile,
  keptPreferences,
  keptWorkingHours,
  keptAiCalls,
  keptAiKeys,
  ...keptConversations,
  ...keptTokens,
  keptWebhooks,
  keptMail,
  keptTasks,
  keptEvents,
  keptBookingConnection,
  keptSyncRuns,
  ...keptStreams,
  ...keptPosts,
  ...keptBilling,
];
