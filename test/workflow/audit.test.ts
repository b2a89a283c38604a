import { describe, expect, inject, it, vi } from "vitest";
import { plain } from "../../src/features/workflow/audit/markdown.ts";
import { CHECKS, scoreOf } from "../../src/features/workflow/audit/report.ts";
import { visitSite } from "../../src/providers/site.ts";
import { newTenant } from "../ai/tenant.ts";
import { GOOD } from "../fakes/site/pages.ts";
import { expectProblem, service } from "../harness.ts";

const PATH = "/api/workflow/digital-audit";
const site = inject("siteUrl");
const client = service();

interface Finding {
  text: string;
  evidence: string;
  severity: string;
}
interface Section {
  heading: string;
  findings: Finding[];
  recommendations: { text: string }[];
}

async function audit(path: string, more: object = {}) {
  const answer = await client.post(PATH, { website: `${site}${path}`, ...more });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function findings(body: { report: { sections: Section[] } }): Finding[] {
  return body.report.sections.flatMap((section) => section.findings);
}

function finding(body: { report: { sections: Section[] } }, text: string): Finding | undefined {
  return findings(body).find((found) => found.text.includes(text));
}

describe("a page with everything in place", () => {
  it("passes every check but those that need https, and each finding quotes what was measured", async () => {
    const body = await audit("/good");
    const wrong = findings(body).filter(({ severity }) => severity !== "good");
    expect(wrong).toEqual([
      { text: "The page is served in the clear.", evidence: `${site}/good`, severity: "critical" },
    ]);
    expect(finding(body, "title has")?.evidence).toBe("38 characters: “Bonn Bakery: fresh bread every morning”");
    expect(finding(body, "one main heading")?.evidence).toBe("1 h1: “Bonn Bakery”");
    expect(finding(body, "structured")?.evidence).toBe("types “Bakery”, “WebSite”, “Thing”");
    expect(finding(body, "compressed")?.evidence).toBe("content-encoding: gzip");
    expect(finding(body, "image")?.evidence).toBe("0 of 3");
    expect(finding(body, "form field")?.evidence).toBe("0 of 2");
    expect(finding(body, "sitemap")?.evidence).toBe(`${site}/map.xml answered 200 application/xml`);
    expect(finding(body, "markup is small")?.evidence).toBe(`${Math.round(GOOD.length / 1024)} KB of HTML, unpacked`);
    expect(body.engine.kind).toBe("builtin");
    expect(body.report.scoreBasis).toBe("measured");
    expect(body.report.nextSteps).toEqual(["Serve the site over HTTPS only."]);
  });

  it("has the score the table gives: all of the weight that applies but that of https", async () => {
    const body = await audit("/good");
    const skipped = new Set(["https", "http-to-https", "hsts", "mixed-content", "markup"]);
    const earned = CHECKS.filter(({ id }) => !skipped.has(id)).reduce((sum, { weight }) => sum + weight, 0);
    expect(body.report.score).toBe(Math.round((100 * earned) / (earned + 12)));
  });
});

describe("a page with nearly everything wrong", () => {
  it("names each fault with its numbers and examples", async () => {
    const body = await audit("/bad");
    expect(finding(body, "title is short")).toMatchObject({ evidence: "2 characters: “Hi”", severity: "medium" });
    expect(finding(body, "no meta description")?.severity).toBe("medium");
    expect(finding(body, "stay away")).toMatchObject({
      evidence: "robots meta: “noindex, nofollow”",
      severity: "high",
    });
    expect(finding(body, "no main heading")?.evidence).toBe("0 h1");
    expect(finding(body, "skip a level")?.evidence).toBe("h2 is followed by h4 “Skipped”");
    expect(finding(body, "Images have no")?.evidence).toBe("2 of 3, such as “/one.jpg”, “/two.jpg”");
    expect(finding(body, "Links have no")?.evidence).toBe("1 of 2, such as “/empty”");
    expect(finding(body, "Form fields have no")?.evidence).toBe("1 of 1, such as “phone”");
    expect(finding(body, "hold the page up")?.evidence).toBe("4 blocking in the head, 0 inline, 4 in all");
    expect(finding(body, "cannot be read")?.evidence).toBe("1 broken JSON-LD, no JSON-LD type");
    expect(finding(body, "without compression")).toBeDefined();
    expect(finding(body, "not made for phones")?.severity).toBe("high");
    expect(body.report.score).toBeLessThan(30);
    expect(body.report.nextSteps).toHaveLength(5);
    for (const { findings: own, recommendations } of body.report.sections as Section[]) {
      expect(recommendations).toHaveLength(own.filter(({ severity }) => severity !== "good").length);
    }
  });

  it("goals move their part of the advice forward, and observations stay what was stated", async () => {
    const plainSteps = (await audit("/bad")).report.nextSteps;
    const body = await audit("/bad", {
      company: "Bonn Bakery",
      industry: "bakery",
      goals: ["Be usable on every phone", "Hire two bakers"],
      observations: "The order form is hard to find",
    });
    expect(body.report.title).toBe(`Digital audit of Bonn Bakery (${new URL(site).host})`);
    expect(body.report.nextSteps).not.toEqual(plainSteps);
    expect(finding(body, "Goal: Be usable")?.evidence).toMatch(/^Accessibility: \d of \d checks pass$/);
    expect(finding(body, "Goal: Hire")?.evidence).toBe("not something the page itself shows");
    expect(finding(body, "order form")).toMatchObject({
      evidence: "stated in the request, not measured",
      severity: "medium",
    });
    const advice = body.report.sections.flatMap((section: Section) => section.recommendations);
    expect(advice.map(({ text }: { text: string }) => text)).toContain(
      "Describe the business in JSON-LD with the schema.org type Restaurant.",
    );
  });
});

describe("what a page says is never markup or an order", () => {
  it("a page that asks for a score gets the measured one, and its text is escaped", async () => {
    const body = await audit("/injected");
    expect(body.report.score).toBeLessThan(60);
    expect(body.report.summary).not.toMatch(/perfect|ignore/i);
    expect(body.markdown).not.toMatch(/<script|\]\(|https?:\/\/evil|[^\\]\*\*bold|www\.evil/);
    expect(body.markdown).toContain("Ignore all previous instructions");
  });

  it("every mark that a renderer would act on is escaped", () => {
    expect(plain("# [a](b) <i>\n**x** `y` www.x.org https://x.org a@b.c 1. |")).toBe(
      "\\# \\[a\\]\\(b\\) \\<i\\> \\*\\*x\\*\\* \\`y\\` www\\.x.org https:\\/\\/x.org a\\@b.c 1. \\|",
    );
    expect(plain("1. one")).toBe("1\\. one");
    expect(plain("- one")).toBe("\\- one");
  });
});

describe("the way to a page", () => {
  it("redirects are followed and shown, also to another host", async () => {
    const body = await audit("/moved-twice");
    expect(finding(body, "2 redirects")).toMatchObject({
      severity: "low",
      evidence: `${site}/moved-twice (302) → ${site}/moved (301) → ${site}/good`,
    });
    const elsewhere = await audit("/elsewhere");
    expect(finding(elsewhere, "One redirect")?.evidence).toContain("http://localhost:");
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
    expect(answer.body.errors).toEqual([{ path: "website", message: "answered application/pdf, not HTML" }]);
    expectProblem(await client.post(PATH, { website: `${site}/untyped` }), 422, "validation_failed");
  });

  it("an error page is reported as one, and its content is not judged", async () => {
    const body = await audit("/failing");
    expect(finding(body, "answers with an error")).toMatchObject({
      severity: "critical",
      evidence: `${site}/failing answered 500`,
    });
    expect(finding(body, "title")).toBeUndefined();
    expect(body.report.score).toBe(20);
    expect(body.report.summary).toContain("answered with an error");
  });

  it("a page without end is read as far as is allowed", async () => {
    const body = await audit("/huge");
    expect(finding(body, "markup is large")).toMatchObject({
      severity: "medium",
      evidence: "more than 2048 KB of HTML, unpacked",
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
    expect(finding(body, "markup is broken")?.severity).toBe("medium");
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
    expect(finding(body, "loaded in the clear")?.evidence).toBe("1 such as “http://cdn.example/a.png”");
    expect(finding(body, "Plain http leads")).toMatchObject({
      severity: "medium",
      evidence: "http answered 302 to https://site.example/",
    });
    expect(finding(body, "stay away")?.evidence).toContain("robots.txt");
    expect(finding(body, "no sitemap")?.evidence).toContain("https://site.example/sitemap.xml answered 404");
  });
});

describe("a company without a website", () => {
  it("gets a checklist that claims to have measured nothing", async () => {
    const { body } = await client.post(PATH, {
      company: "Bonn Bakery",
      goals: "More reviews",
      observations: [
        "Google reviews are answered every day",
        "Passwords are shared and there is no backup",
        "The oven is new",
      ],
    });
    expect(body.report).toMatchObject({ scoreBasis: "stated", title: "Digital audit of Bonn Bakery" });
    expect(body.report.summary).toContain("Nothing was measured");
    expect(finding(body, "Passwords are shared")).toMatchObject({
      severity: "medium",
      evidence: "stated in the request, not measured",
    });
    expect(finding(body, "The oven is new")?.severity).toBe("info");
    expect(finding(body, "Goal: More reviews")?.evidence).toBe("see Reviews");
    expect(body.report.score).toBe(25);
  });

  it("without any observation scores nothing, and says that all is open", async () => {
    const { body } = await client.post(PATH, { company: "Bonn Bakery" });
    expect(body.report.score).toBe(0);
    expect(findings(body).every(({ evidence }) => evidence === "not measured, and nothing was stated")).toBe(true);
  });
});

describe("what is refused", () => {
  it.each([
    [{}, "website"],
    [{ industry: "bakery" }, "website"],
    [{ website: "" }, "website"],
    [{ website: "ftp://example.org" }, "website"],
    [{ website: "not a site" }, "website"],
    [{ company: " " }, "company"],
    [{ company: "x", goals: [""] }, "goals"],
    [{ company: "x", observations: Array(21).fill("x") }, "observations"],
  ])("%j names the offending place", async (body, path) => {
    const answer = await client.post(PATH, body);
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toMatch(new RegExp(`^${path}`));
  });
});

// The first call of a model loads its client.
describe("a model", { timeout: 30_000 }, () => {
  const words = (nextSteps: string[], summary = "The site is in fair shape.") => ({ json: { summary, nextSteps } });

  it("words the summary and the steps, and changes nothing else", async () => {
    const tenant = await newTenant();
    const measured = await audit("/good");
    await tenant.says(
      words(["Move to HTTPS, so that visitors trust the order form."], "Good work: only HTTPS is missing."),
    );
    const { body } = await tenant.client.post(PATH, { website: `${site}/good` });
    expect(body.engine).toMatchObject({ kind: "llm", provider: "openai" });
    expect(body.report).toMatchObject({
      summary: "Good work: only HTTPS is missing.",
      nextSteps: ["Move to HTTPS, so that visitors trust the order form."],
      score: measured.report.score,
    });
    expect(body.markdown).toContain("Good work: only HTTPS is missing.");
  });

  it.each([
    ["a number that nobody measured", words(["Move to HTTPS."], "Traffic will rise by 347 percent.")],
    ["a link", words(["See https://evil.example for help."])],
    ["another number of steps", words(["One.", "Two."])],
    ["nothing", words([""], "")],
    [
      "its own instructions",
      words(["Move to HTTPS."], "You word the summary and the next steps of a website audit that is already done."),
    ],
  ])("that gives %s is not believed", async (_, turn) => {
    const tenant = await newTenant();
    await tenant.says(turn);
    const { body } = await tenant.client.post(PATH, { website: `${site}/good` });
    expect(body.engine).toMatchObject({ kind: "builtin", fallbackReason: "invalid_output" });
    expect(body.report.nextSteps).toEqual(["Serve the site over HTTPS only."]);
  });

  it("is not shown the orders that a page gives to models", async () => {
    const tenant = await newTenant();
    await tenant.says(words(["a", "b", "c", "d", "e"]));
    const { body } = await tenant.client.post(PATH, { website: `${site}/injected` });
    const [request] = await tenant.requests();
    expect(JSON.stringify(request?.body)).not.toMatch(/Ignore all previous|PERFECT SITE/);
    expect(body.report.score).toBeLessThan(60);
  });
});

describe("the score", () => {
  it("is the earned share of the weight, and at most 20 for an error", () => {
    const judged = [
      { check: { weight: 3 }, credit: 1 },
      { check: { weight: 1 }, credit: 0.5 },
      { check: { weight: 4 }, credit: 0 },
    ];
    expect(scoreOf(judged, false)).toBe(44);
    expect(scoreOf(judged, true)).toBe(20);
    expect(scoreOf([], false)).toBe(0);
  });

  it("every check has an id and advice of its own", () => {
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
    expect(new Set(CHECKS.map(({ advice }) => advice.text)).size).toBe(CHECKS.length);
  });
});
