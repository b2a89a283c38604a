import type { KeptData } from "../../db/personal-data.ts";
import { keptAiKeys } from "../ai-keys/personal-data.ts";
import { keptAiCalls, keptTokens } from "../ai-models/tokens/personal-data.ts";
import { personalData as apiKeys } from "../api-keys/personal-data.ts";
import { personalData as audit } from "../audit/personal-data.ts";
import { personalData as auth } from "../auth/personal-data.ts";
import { keptBilling } from "../billing/personal-data.ts";
import { keptBookingConnection, keptSyncRuns } from "../bookingsvc/personal-data.ts";
import { keptEvents, keptWorkingHours } from "../calendar/personal-data.ts";
import { keptConversations } from "../chat/personal-data.ts";
import { keptMail } from "../emails/personal-data.ts";
import { personalData as notifications } from "../notifications/personal-data.ts";
import { personalData as profile } from "../profile/personal-data.ts";
import { keptPosts } from "../stream/captions/personal-data.ts";
import { keptStreams } from "../stream/personal-data.ts";
import { keptTasks } from "../tasks/personal-data.ts";
import { keptWebhooks } from "../webhooks/personal-data.ts";

/** All stored data, in the order of the export. A feature that stores more adds it here, to be exported and erased. */
export const KEPT_DATA: readonly KeptData[] = [
  ...auth,
  ...apiKeys,
  ...audit,
  ...profile,
  ...notifications,
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
