declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("../src/index.ts");
  }
  interface Env extends Omit<import("../src/config.ts").Env, "AI"> {
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}

declare module "*?raw" {
  const text: string;
  export default text;
}

/** Vite's import of every file that matches. */
interface ImportMeta {
  glob<Module>(pattern: string, options: { eager: true; query?: "?raw" }): Record<string, Module>;
}
