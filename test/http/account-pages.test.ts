import { describe, expect, it } from "vitest";
import { toBase64, toBytes } from "../../src/lib/encoding.ts";
import { expectProblem, service } from "../harness.ts";

/* The pages that emails link to. test/browser/account-pages.browser.ts uses them. */

const client = service();

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(toBytes(text)));
  return `'sha256-${toBase64(new Uint8Array(digest))}'`;
}

describe.each(["/app/forgot", "/app/reset", "/app/verify"])("%s", (path) => {
  it("is a page that may run its own script and call this service, and nothing else", async () => {
    const { status, headers, text } = await client.get(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/html/);
    const [, script = ""] = /<script>([\s\S]*)<\/script>/.exec(text) ?? [];
    const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
    expect(script.length * style.length).toBeGreaterThan(0);
    expect(headers.get("content-security-policy")).toBe(
      `default-src 'none'; script-src ${await hashOf(script)}; style-src ${await hashOf(style)}; connect-src 'self'; ` +
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("loads nothing, and has a label for every field", async () => {
    const { text } = await client.get(path);
    expect(text).not.toMatch(/\b(?:src|href)=|https?:|\bon\w+=|\bstyle=/);
    const fields = [...text.matchAll(/<input id="(\w+)"/g)].map(([, id]) => id);
    expect(fields.length).toBeGreaterThan(0);
    for (const id of fields) expect(text).toContain(`<label for="${id}">`);
  });

  it("takes no token from the address, which servers and logs would see", async () => {
    const plain = await client.get(path);
    const other = await client.get(`${path}?token=secret-token-1`);
    expect(other.text).toBe(plain.text);
    expectProblem(await client.post(path, { password: "x" }), 405, "method_not_allowed");
  });
});

it("there are no other pages yet", async () => {
  expectProblem(await client.get("/app/settings"), 404, "route_not_found");
});
