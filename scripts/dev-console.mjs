// npm run dev:console: serves the console from memory, built anew at every change, and passes everything else on to the
// service that `npm run dev` runs. The page reloads by itself; a change of styles only replaces the styles.
//   npm run dev                   in one terminal
//   npm run dev:console           in another, then open http://localhost:8788/app
import { watch } from "node:fs";
import { createServer, request } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole } from "./console.mjs";

const PORT = Number(process.env.PORT ?? 8788);
const SERVICE = new URL(process.env.SERVICE ?? "http://localhost:8787");
const source = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "console");

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** Tells the page that a build is ready. Part of this server only, never of what is deployed. */
const RELOAD = `
new EventSource("/app/changes").addEventListener("change", ({ data }) => {
  const style = document.querySelector("link[rel=stylesheet]");
  const { isStyleOnly, href } = JSON.parse(data);
  if (isStyleOnly) style.href = href;
  else location.reload();
});`;

let files = await built();
/** @type {Set<import("node:http").ServerResponse>} */
const pages = new Set();

async function built() {
  const { files: made } = await buildConsole({ isDevelopment: true });
  // Without the service worker, which would keep yesterday's files.
  made.delete("sw.js");
  made.set("assets/reload.js", RELOAD);
  const document = String(made.get("index.html"));
  made.set("index.html", document.replace("</head>", '<script src="/app/assets/reload.js" defer></script></head>'));
  return made;
}

/** @type {NodeJS.Timeout | undefined} */
let timer;
watch(source, { recursive: true }, (_, name) => {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    try {
      files = await built();
      const style = [...files.keys()].find((file) => /^assets\/style-.*\.css$/.test(file));
      const data = JSON.stringify({ isStyleOnly: name?.endsWith(".css"), href: `/app/${style}` });
      for (const page of pages) page.write(`event: change\ndata: ${data}\n\n`);
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
    }
  }, 50);
});

createServer((incoming, outgoing) => {
  const { pathname } = new URL(incoming.url ?? "/", `http://localhost:${PORT}`);
  if (pathname === "/app/changes") {
    outgoing.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    pages.add(outgoing);
    incoming.on("close", () => pages.delete(outgoing));
    return;
  }
  const isConsole = pathname === "/app" || pathname.startsWith("/app/");
  const file = files.get(pathname.slice("/app/".length));
  const isDocument = isConsole && incoming.headers["sec-fetch-dest"] === "document";
  if (isConsole && (file !== undefined || isDocument)) {
    const type = file === undefined ? ".html" : extname(pathname);
    outgoing.writeHead(200, { "Content-Type": TYPES[type] ?? "application/octet-stream", "Cache-Control": "no-store" });
    outgoing.end(file ?? files.get("index.html"));
    return;
  }
  const { method, headers, url } = incoming;
  const passed = request({ host: SERVICE.hostname, port: SERVICE.port, path: url, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on("error", () => {
    outgoing.writeHead(502, { "Content-Type": "application/problem+json" });
    outgoing.end(
      JSON.stringify({ code: "unavailable", detail: `No service at ${SERVICE}. Start it with npm run dev.` }),
    );
  });
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
}).listen(PORT, () => console.log(`http://localhost:${PORT}/app (the service is expected at ${SERVICE})`));
