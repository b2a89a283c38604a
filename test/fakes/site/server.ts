import http from "node:http";
import { gzipSync } from "node:zlib";
import { BAD, GOOD, INJECTED } from "./pages.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const SAFE = {
  ...HTML,
  "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=()",
};

/** A web site with every kind of page, good and bad, each at a path of its own. */
export function createFakeSite(): http.Server {
  return http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://fake");
    const host = request.headers.host ?? "";
    const page = PAGES[pathname];
    if (page) page(response, host, request);
    else response.writeHead(404, HTML).end("<html lang=en><title>Not here</title></html>");
  });
}

type Page = (response: http.ServerResponse, host: string, request: http.IncomingMessage) => void;

function redirect(status: number, location: (host: string) => string): Page {
  return (response, host) => void response.writeHead(status, { location: location(host) }).end();
}

const PAGES: Record<string, Page> = {
  "/good": (response) => response.writeHead(200, { ...SAFE, "content-encoding": "gzip" }).end(gzipSync(GOOD)),
  "/bad": (response) => response.writeHead(200, { "content-type": "text/html" }).end(BAD),
  "/injected": (response) => response.writeHead(200, HTML).end(INJECTED),
  "/robots.txt": (response, host) =>
    response
      .writeHead(200, { "content-type": "text/plain" })
      .end(`User-agent: *\nAllow: /\nSitemap: http://${host}/map.xml\n`),
  "/map.xml": (response) =>
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end('<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'),
  "/moved": redirect(301, () => "/good"),
  "/moved-twice": redirect(302, () => "/moved"),
  "/elsewhere": redirect(302, (host) => `http://localhost:${host.split(":")[1]}/good`),
  "/loop": redirect(302, () => "/loop"),
  "/to-file": redirect(302, () => "file:///etc/passwd"),
  "/to-login": redirect(302, (host) => `http://user:secret@${host}/good`),
  "/to-nothing": redirect(302, () => "http://"),
  "/pdf": (response) => response.writeHead(200, { "content-type": "application/pdf" }).end("%PDF"),
  "/untyped": (response) => response.writeHead(200).end("<html></html>"),
  "/failing": (response) => response.writeHead(500, SAFE).end(GOOD),
  "/hang": () => {},
  "/drip": (response, _, request) => {
    response.writeHead(200, HTML);
    const timer = setInterval(() => response.write("<p>drop</p>"), 20);
    request.on("close", () => clearInterval(timer));
  },
  "/huge": (response, _, request) => {
    response.writeHead(200, HTML);
    response.write("<html lang=en><title>A page that never comes to an end</title>");
    const block = `<p>${"flood ".repeat(2000)}</p>`;
    const pour = () => {
      while (!request.socket.destroyed && response.write(block));
    };
    response.on("drain", pour);
    pour();
  },
  "/latin1": (response) =>
    response
      .writeHead(200, { "content-type": "text/html; charset=ISO-8859-1" })
      .end(Buffer.from("<html lang=de><title>Bäckerei Müller in Köln</title><h1>Größe</h1></html>", "latin1")),
  "/odd-charset": (response) =>
    response
      .writeHead(200, { "content-type": "text/html; charset=klingon" })
      .end("<html><title>Plain letters here</title></html>"),
  "/tangled": (response) =>
    response
      .writeHead(200, HTML)
      .end("<html lang=en><title>Tangled markup here</title><select><xmp></select><script></xmp></script>"),
  "/cut": (response) => {
    response.writeHead(200, { ...HTML, "content-length": "5000" });
    response.write("<html>", () => response.destroy());
  },
};
