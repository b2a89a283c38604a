import { describe, expect, it, vi } from "vitest";
import { visitSite } from "../../src/providers/site.ts";
import { expectProblem, service } from "../harness.ts";
import { audit, client, finding, PATH, site } from "./auditing.ts";

describe("the way to a page", () => {
  it("redirects are followed and shown, also to another host", async () => {
    const body = await audit("/moved-twice");
    expect(finding(body, "2 redirects")).toMatchObject({
      severity: "low",
      evidence: `${site}/moved-twice (302) → ${site}/moved (301) → ${site}/good`,
    });
    const elsewhere = await audit("/elsewhere");
    expect(finding(elsewhere, "one redirect")?.evidence).toContain("http://localhost:");
  });

  it("a loop ends as the site's trouble", async () => {
    const answer = await client.post(PATH, { website: `${site}/loop` });
    expectProblem(answer, 502, "provider_error");
    expect(answer.body.detail).toContain("more than 5 times");
  });

  it.each(["/to-file", "/to-login"])("a step that must not be taken is not: %s", async (path) => {
    const answer = await client.post(PATH, { website: `${site}${path}` });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0]).toMatchObject({ path: "website", message: expect.stringContaining("redirects to") });
  });

  it("a redirect to nowhere, a cut connection and a closed port are the site's trouble", async () => {
    for (const website of [`${site}/to-nothing`, `${site}/cut`, "http://127.0.0.1:9/"]) {
      expectProblem(await client.post(PATH, { website }), 502, "provider_error");
    }
  });

  it("what is not a page is refused with what it is", async () => {
    const answer = await client.post(PATH, { website: `${site}/pdf` });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors).toEqual([{ path: "website", message: "returned application/pdf, not HTML" }]);
    expectProblem(await client.post(PATH, { website: `${site}/untyped` }), 422, "validation_failed");
  });

  it("an error page is reported as one, and its content is not judged", async () => {
    const body = await audit("/failing");
    expect(finding(body, "returns an error")).toMatchObject({
      severity: "critical",
      evidence: `${site}/failing returned 500`,
    });
    expect(finding(body, "title")).toBeUndefined();
    expect(body.report.score).toBe(20);
    expect(body.report.summary).toContain("returned an error");
  });

  it("a page without end is read as far as is allowed", async () => {
    const body = await audit("/huge");
    expect(finding(body, "HTML is large")).toMatchObject({
      severity: "medium",
      evidence: "more than 2048 KB of HTML, uncompressed",
    });
  });

  it("old charsets are read as what they are, unknown ones as UTF-8", async () => {
    const latin = await audit("/latin1");
    expect(finding(latin, "title")?.evidence).toContain("“Bäckerei Müller in Köln”");
    expect(finding(latin, "old charset")?.evidence).toBe("charset “ISO-8859-1”");
    expect(finding(await audit("/odd-charset"), "title")?.evidence).toContain("“Plain letters here”");
  });

  it("markup that cannot be followed is a finding, not a failure", async () => {
    const body = await audit("/tangled");
    expect(finding(body, "title")?.evidence).toContain("Tangled markup here");
    expect(finding(body, "HTML is broken")?.severity).toBe("medium");
  });
});

describe("limits of a visit", () => {
  const limits = { callMs: 300, totalMs: 500, maxHops: 5, maxBytes: 100_000 };

  it.each(["/hang", "/drip"])("%s ends as a timeout", async (path) => {
    await expect(visitSite(`${site}${path}`, { allowPrivate: true, limits })).rejects.toMatchObject({
      code: "provider_timeout",
    });
  });

  it("no more is read than is allowed", async () => {
    const measured = await visitSite(`${site}/huge`, { allowPrivate: true, limits });
    expect(measured).toMatchObject({ bytes: 100_000, isCut: true });
  });
});

describe("addresses inside", () => {
  const guarded = service({ ALLOW_PRIVATE_HOSTS: "false" });

  it.each([
    "http://127.0.0.1/",
    "https://localhost/",
    "http://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "http://0x7f000001/",
    "https://intranet/",
    "https://db.internal/",
    "https://user:secret@example.org/",
  ])("%s is refused without a call", async (website) => {
    const fetched = vi.spyOn(globalThis, "fetch");
    const answer = await guarded.post(PATH, { website });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toBe("website");
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });

  it("a public site that redirects inside is not followed there", async () => {
    const fetched = vi
      .spyOn(globalThis, "fetch")
      .mockResolvedValue(new Response(null, { status: 302, headers: { location: "http://169.254.169.254/" } }));
    const answer = await guarded.post(PATH, { website: "https://site.example/" });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].message).toContain("redirects to http://169.254.169.254/");
    expect(fetched).toHaveBeenCalledTimes(1);
    fetched.mockRestore();
  });
});

describe("a site over https", () => {
  it("is measured for HSTS, mixed content and where plain http leads", async () => {
    const html =
      '<html lang="en"><head><title>A page over https</title></head><body><img src="http://cdn.example/a.png" alt=""></body></html>';
    const answers: Record<string, () => Response> = {
      "https://site.example/": () =>
        new Response(html, { headers: { "content-type": "text/html", "strict-transport-security": "max-age=600" } }),
      "http://site.example/": () => new Response(null, { status: 302, headers: { location: "https://site.example/" } }),
      "https://site.example/robots.txt": () =>
        new Response("User-agent: x\nUser-agent: *\nDisallow: /\n", { headers: { "content-type": "text/plain" } }),
    };
    const fetched = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async (url) => answers[String(url)]?.() ?? new Response("", { status: 404 }));
    const body = (await service({ ALLOW_PRIVATE_HOSTS: "false" }).post(PATH, { website: "site.example" })).body;
    fetched.mockRestore();
    expect(finding(body, "served over HTTPS")?.severity).toBe("good");
    expect(finding(body, "too short a time")?.severity).toBe("low");
    expect(finding(body, "loaded over HTTP")?.evidence).toBe("1 such as “http://cdn.example/a.png”");
    expect(finding(body, "HTTP redirects to HTTPS")).toMatchObject({
      severity: "medium",
      evidence: "http returned 302 to https://site.example/",
    });
    expect(finding(body, "told not to list")?.evidence).toContain("robots.txt");
    expect(finding(body, "no sitemap")?.evidence).toContain("https://site.example/sitemap.xml returned 404");
  });
});
