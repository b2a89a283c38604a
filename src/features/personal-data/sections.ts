import type { PersonalDataSection } from "../../db/personal-data.ts";
import { aiKeysSection } from "../ai-keys/personal-data.ts";
import { aiCallsSection, tokenSections } from "../ai-models/tokens/personal-data.ts";
import { identitySections } from "../auth/personal-data.ts";
import { billingSections } from "../billing/personal-data.ts";
import { bookingSections } from "../bookingsvc/personal-data.ts";
import { eventsSection, workingHoursSection } from "../calendar/personal-data.ts";
import { chatSections } from "../chat/personal-data.ts";
import { emailsSection } from "../emails/personal-data.ts";
import { preferencesSection, profileSection } from "../profile/personal-data.ts";
import { captionSections } from "../stream/captions/personal-data.ts";
import { streamSections } from "../stream/personal-data.ts";
import { tasksSection } from "../tasks/personal-data.ts";
import { webhooksSection } from "../webhooks/personal-data.ts";

/** Everything the service stores. A feature that stores more adds its section here: it is then exported and erased. */
export const PERSONAL_DATA: readonly PersonalDataSection[] = [
  ...identitySections,
  profileSection,
  preferencesSection,
  workingHoursSection,
  aiCallsSection,
  aiKeysSection,
  ...chatSections,
  ...tokenSections,
  webhooksSection,
  emailsSection,
  tasksSection,
  eventsSection,
  ...bookingSections,
  ...streamSections,
  ...captionSections,
  ...billingSections,
];
