import type { PersonalData } from "../../db/personal-data.ts";
import { personalData as aiKeys } from "../ai-keys/personal-data.ts";
import { personalData as aiTokens } from "../ai-models/tokens/personal-data.ts";
import { personalData as apiKeys } from "../api-keys/personal-data.ts";
import { personalData as audit } from "../audit/personal-data.ts";
import { personalData as auth } from "../auth/personal-data.ts";
import { personalData as billing } from "../billing/personal-data.ts";
import { personalData as bookings } from "../bookings/personal-data.ts";
import { personalData as calendar } from "../calendar/personal-data.ts";
import { personalData as connections } from "../connections/personal-data.ts";
import { personalData as contacts } from "../contacts/personal-data.ts";
import { personalData as chat } from "../conversations/personal-data.ts";
import { personalData as emails } from "../emails/personal-data.ts";
import { personalData as mailboxes } from "../mailboxes/personal-data.ts";
import { personalData as notifications } from "../notifications/personal-data.ts";
import { personalData as profile } from "../profile/personal-data.ts";
import { personalData as reminders } from "../reminders/personal-data.ts";
import { personalData as captions } from "../stream/captions/personal-data.ts";
import { personalData as stream } from "../stream/personal-data.ts";
import { personalData as tasks } from "../tasks/personal-data.ts";
import { personalData as webhooks } from "../webhooks/personal-data.ts";

/** All stored data, in the order of the export. A feature that stores more adds it here, to be exported and erased. */
export const PERSONAL_DATA: readonly PersonalData[] = [
  auth,
  apiKeys,
  connections,
  audit,
  profile,
  notifications,
  reminders,
  aiTokens,
  aiKeys,
  chat,
  webhooks,
  // Before the emails and events, whose triggers count for them.
  contacts,
  mailboxes,
  emails,
  tasks,
  calendar,
  bookings,
  stream,
  captions,
  billing,
].flat();
