import type { KeptData } from "../../db/kept-data.ts";
import { keptConversations } from "../ai/chat/kept-data.ts";
import { keptAiKeys } from "../api-keys/kept-data.ts";
import { keptIdentity } from "../auth/kept-data.ts";
import { keptBilling } from "../billing/kept-data.ts";
import { keptBookingConnection, keptSyncRuns } from "../bookingsvc/kept-data.ts";
import { keptEvents } from "../calendar/kept-data.ts";
import { keptMail } from "../emails/kept-data.ts";
import { keptAiCalls, keptTokens } from "../models/kept-data.ts";
import { keptPreferences, keptProfile } from "../profile/kept-data.ts";
import { keptPosts } from "../stream/captions/kept-data.ts";
import { keptStreams } from "../stream/kept-data.ts";
import { keptTasks } from "../tasks/kept-data.ts";
import { keptWebhooks } from "../webhooks/kept-data.ts";

/** Everything the service keeps. A feature that keeps more adds its line: it is then exported, and erased. */
export const KEPT_DATA: readonly KeptData[] = [
  ...keptIdentity,
  keptProfile,
  keptPreferences,
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
