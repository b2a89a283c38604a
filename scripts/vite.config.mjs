// How Vite builds the console (src/console) for /app, and serves it in development beside the service of `npm run dev`.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { defineConfig } from "vite";

const repository = join(import.meta.dirname, "..");
const service = process.env.SERVICE ?? "http://localhost:8787";
const target = ["chrome123", "firefox128", "safari17.5"];

/** A script of one file that is no module: it runs at once, or outside of the page. */
async function small(/** @type {string} */ input, define = {}) {
  const bundle = await rolldown({ input, transform: { define, target } });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  return output[0].code;
}

function hashOf(/** @type {string} */ text) {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/**
 * What Vite does not do by itself: the icons inside the document, the script in its head that sets the theme before
 * anything is drawn, and the service worker, which knows every file and is never part of development.
 * @returns {import("vite").Plugin}
 */
function shell() {
  /** @type {string} */
  let source;
  /** @type {{ file: string, code: string }} */
  let theme;
  return {
    name: "console-shell",
    configResolved(config) {
      source = config.root;
    },
    async buildStart() {
      const code = await small(join(source, "theme.ts"));
      theme = { file: `assets/theme-${hashOf(code)}.js`, code };
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url === `/app/${theme.file}`) {
          response.setHeader("Content-Type", "text/javascript").end(theme.code);
          return;
        }
        // The console's own address has no slash at its end; that of Vite has.
        request.url = request.url?.replace(/^\/app(?=\?|$)/, "/app/");
        next();
      });
    },
    transformIndexHtml: {
      order: "post",
      handler: (document) =>
        document
          .replace("<!-- theme -->", `<script src="/app/${theme.file}"></script>`)
          .replace("<!-- icons -->", () => readFileSync(join(source, "ui", "icons.svg"), "utf8").trim()),
    },
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        this.emitFile({ type: "asset", fileName: theme.file, source: theme.code });
        const copied = readdirSync(join(source, "files"), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(join(source, "files", "/").length));
        const made = Object.keys(bundle).filter((name) => name.startsWith("assets/"));
        const names = [theme.file, ...copied.map((name) => name.replaceAll("\\", "/")), ...made];
        const kept = ["/app", ...names.sort().map((name) => `/app/${name}`)];
        const document = bundle["index.html"];
        if (document?.type !== "asset") throw new Error("The build has no document.");
        const code = await small(join(source, "sw", "sw.ts"), {
          SHELL: JSON.stringify(kept),
          VERSION: JSON.stringify(hashOf(document.source + kept.join())),
        });
        this.emitFile({ type: "asset", fileName: "sw.js", source: code });
      },
    },
  };
}

export default defineConfig({
  root: join(repository, "src", "console"),
  base: "/app/",
  publicDir: "files",
  cacheDir: join(repository, "node_modules", ".vite-console"),
  plugins: [shell()],
  build: {
    target,
    // Every browser of the target has it.
    modulePreload: { polyfill: false },
    // The policy of the document allows no styles or scripts inside of it.
    assetsInlineLimit: 0,
    license: { fileName: "licenses.txt" },
    // For the tests that look at what is loaded with what.
    manifest: true,
    reportCompressedSize: false,
  },
  server: {
    port: Number(process.env.PORT ?? 8788),
    strictPort: true,
    proxy: { "^/(?!app(?:/|$))": { target: service } },
  },
});
