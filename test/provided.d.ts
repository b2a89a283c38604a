import type { SocialUrls } from "./fakes/social/start.ts";

/** What the set-ups of the projects, which run in Node, hand to their tests. */
declare module "vitest" {
  interface ProvidedContext {
    bookingProviderUrl: string;
    modelsUrl: string;
    siteUrl: string;
    youtubeUrl: string;
    stripeUrl: string;
    webhookReceiverUrl: string;
    socialUrls: SocialUrls;
    fuzz: { seed: number; runs: number };
    /** The whole service, bundled. */
    workerScript: string;
  }
}
