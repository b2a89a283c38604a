import type { unstable_getMiniflareWorkerOptions } from "wrangler";
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
    pushServiceUrl: string;
    socialUrls: SocialUrls;
    fuzz: { seed: number; runs: number };
    /** Which of the two tiers runs: see docs/contributing.md. */
    tier: "every" | "rare";
    /** The modules of the Worker as it is uploaded, the entry first. */
    workerModules: { name: string; text: string }[];
    /** For each module: those that it imports at once, those that it imports on demand, and the files it was made of. */
    workerGraph: Record<string, { imports: string[]; loads: string[]; bytes: number; inputs: string[] }>;
    /** The minified size of each folder of the engine. */
    engineBytes: Record<string, number>;
    /** Folders with the data of a service, to start copies with. */
    data: { empty: string; seeded: string };
    /** What wrangler.toml binds to the Worker, for the local runtime. */
    worker: ReturnType<typeof unstable_getMiniflareWorkerOptions>;
  }
}
