import { describe, expect, it } from "vitest";
import { escapeMarkdown } from "../../src/features/workflow/website-audit/markdown.ts";
import { CHECKS, scoreOf } from "../../src/features/workflow/website-audit/report.ts";
import { newTenant } from "../ai/tenant.ts";
import { GOOD } from "../fakes/site/pages.ts";
import { expectProblem } from "../harness.ts";
import { audit, client, finding, findings, PATH, type Section, site } from "./auditing.ts";

describe("a page with everything in place", () => {
  it("passes every check but those that need https, and each finding quotes what was measured", async () => {
    const body = await audit("/good");
    const wrong = findings(body).filter(({ severity }) => severity !== "good");
    expect(wrong).toEqual([
      { text: "The page is served over plain HTTP.", evidence: `${site}/good`, severity: "critical" },
    ]);
    expect(finding(body, "title has")?.evidence).toBe("38 characters: “Bonn Bakery: fresh bread every morning”");
    expect(finding(body, "one main heading")?.evidence).toBe("1 h1: “Bonn Bakery”");
    expect(finding(body, "structured")?.evidence).toBe("types “Bakery”, “WebSite”, “Thing”");
    expect(finding(body, "compressed")?.evidence).toBe("content-encoding: gzip");
    expect(finding(body, "image")?.evidence).toBe("0 of 3");
    expect(finding(body, "form field")?.evidence).toBe("0 of 2");
    expect(finding(body, "sitemap")?.evidence).toBe(`${site}/map.xml returned 200 application/xml`);
    expect(finding(body, "HTML is small")?.evidence).toBe(`${Math.round(GOOD.length / 1024)} KB of HTML, uncompressed`);
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
    expect(finding(body, "told not to list")).toMatchObject({
      evidence: "robots meta: “noindex, nofollow”",
      severity: "high",
    });
    expect(finding(body, "no main heading")?.evidence).toBe("0 h1");
    expect(finding(body, "skip a level")?.evidence).toBe("h2 is followed by h4 “Skipped”");
    expect(finding(body, "Images have no")?.evidence).toBe("2 of 3, such as “/one.jpg”, “/two.jpg”");
    expect(finding(body, "Links have no")?.evidence).toBe("1 of 2, such as “/empty”");
    expect(finding(body, "Form fields have no")?.evidence).toBe("1 of 1, such as “phone”");
    expect(finding(body, "delay the page")?.evidence).toBe("4 blocking in the head, 0 inline, 4 in total");
    expect(finding(body, "data is invalid")?.evidence).toBe("1 invalid JSON-LD, no JSON-LD type");
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
    expect(finding(body, "Goal: Hire")?.evidence).toBe("cannot be measured on the page");
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
    expect(escapeMarkdown("# [a](b) <i>\n**x** `y` www.x.org https://x.org a@b.c 1. |")).toBe(
      "\\# \\[a\\]\\(b\\) \\<i\\> \\*\\*x\\*\\* \\`y\\` www\\.x.org https:\\/\\/x.org a\\@b.c 1. \\|",
    );
    expect(escapeMarkdown("1. one")).toBe("1\\. one");
    expect(escapeMarkdown("- one")).toBe("\\- one");
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
    expect(findings(body).every(({ evidence }) => evidence === "not measured, nothing stated")).toBe(true);
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
describe("a model", () => {
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
