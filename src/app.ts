import { features as accounts } from "./areas/accounts.ts";
import { features as ai } from "./areas/ai.ts";
import { features as calendar } from "./areas/calendar.ts";
import { features as mail } from "./areas/mail.ts";
import { features as operations } from "./areas/operations.ts";
import { serve } from "./areas/serve.ts";
import { features as settings } from "./areas/settings.ts";
import { features as stream } from "./areas/stream.ts";

/** The whole service: every feature, where it lives and what it is for. */
export function createApp() {
  return serve([...accounts, ...mail, ...calendar, ...ai, ...settings, ...stream, ...operations]);
}
