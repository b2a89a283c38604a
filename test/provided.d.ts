import type { unstable_getMiniflareWorkerOptions } from "wrangler";
import type { SocialUrls } from "./fakes/social/start.ts";
import type { MailServers } from "./mail/servers/start.ts";

/** What the set-ups of the projects, which run in Node, hand to their tests. */
declare module "vitest" {
  interface ProvidedContext {
    bookingProviderUrl: string;
    modelsUrl: string;
    siteUrl: string;
    youtubeUrl: string;
    stripeUrl: string;
    webhookReceiverUrl: string;
    pushServiceUrl: string;
    socialUrls: SocialUrls;
    /** The real ones of `npm run test:mail`. */
    mailServers: MailServers;
    fuzz: { seed: number; runs: number };
    /** Which of the two tiers runs: see docs/contributing.md. */
    tier: "every" | "rare";
    /** Whether files that tests compare with are written anew (`vitest -u`). */
    updates: boolean;
    /** The Worker as it is uploaded: the file of its script, beside which its source map is. */
    upload: string;
    /** For each file that the upload is made of: those that it imports at once, and what it takes of the script. */
    uploadGraph: Record<string, { imports: string[]; bytes: number }>;
    /** Folders with the data of a service, to start copies with. */
    data: { empty: string; seeded: string };
    /** What wrangler.toml binds to the Worker, for the local runtime. */
    worker: ReturnType<typeof unstable_getMiniflareWorkerOptions>;
  }
}
