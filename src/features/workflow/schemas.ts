import { z } from "@hono/zod-openapi";
import { REPLY_TONES } from "../../engine/reply/letters.ts";
import { doc, named } from "../../http/schemas.ts";
import { ActiveModel, Engine } from "../ai-models/schemas.ts";
import { emailSource, hasOneSource, ONE_SOURCE } from "../emails/analysis/schemas.ts";

export const SEVERITIES = ["good", "info", "low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];
const LEVELS = ["low", "medium", "high"] as const;
export type Level = (typeof LEVELS)[number];

const text = (max: number) => z.string().trim().min(1).max(max);
const oneLine = (name: string) => !/[\r\n]/.test(name);

export const EmailResponseRequest = z
  .object({
    ...emailSource,
    tone: doc(
      z.enum(REPLY_TONES).optional(),
      "Tone of the reply. Default: as the instructions ask, otherwise `formal`.",
    ),
    instructions: doc(
      text(4000).nullish(),
      "What the reply should say: an order such as `decline, I'm on holiday until Monday`, or the text itself. The " +
        "built-in engine follows orders to accept, decline, thank, apologize, congratulate, propose, postpone, ask, confirm " +
        "and tell, in English, German, French and Spanish, and more in English. It quotes all instructions if a part of " +
        "them is anything else, such as a condition, what not to do, or a choice. Default: the reply only thanks for the email.",
    ),
    senderName: doc(text(100).refine(oneLine, "must be one line").nullish(), "Name to sign with."),
  })
  .refine(hasOneSource, ONE_SOURCE)
  .openapi("EmailResponseRequest", {
    example: {
      content: "Hi Ann, please send me the signed contract by Friday. Could we talk on Monday at 10? Thanks, Bob",
      subject: "Contract",
      from: "Bob Ray <bob@example.org>",
      tone: "friendly",
      instructions: "Accept the call, and ask for the agenda.",
      senderName: "Ann Lee",
    },
  });

export type EmailResponseInput = z.output<typeof EmailResponseRequest>;

const RESPONSE =
  "Hi Bob,\n\nMonday, 23 November at 10:00 works for me. Could I ask you for the agenda?\n\nBest wishes,\nAnn Lee";

export const EmailResponse = named("EmailResponse", () => ({
  subject: doc(z.string(), "Subject of the reply.", "Re: Contract"),
  response: doc(z.string(), "Text of the reply.", RESPONSE),
  tone: doc(z.enum(REPLY_TONES), "Tone of the reply.", "friendly"),
  ignoredInstructions: doc(
    z.array(z.string()),
    "Parts of the instructions that the built-in engine did not understand. If there are any, `response` quotes all " +
      "instructions and follows none. Always empty with a model.",
    [],
  ),
  note: doc(
    z.string().nullable(),
    "What to know before sending it: that the built-in engine quotes your instructions because it could not turn them " +
      "into a letter, or that the reply is not in the language of the email. Null otherwise, and with a model.",
    null,
  ),
  engine: Engine,
}));

export type EmailResponse = z.infer<typeof EmailResponse>;

const textOrList = (description: string) =>
  z
    .union([text(1000), z.array(text(1000)).max(20)])
    .nullish()
    .transform((given) => (given === null || given === undefined ? [] : [given].flat()))
    .openapi({ type: "array", items: { type: "string" }, description });

export const AuditRequest = z
  .object({
    website: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .refine((site) => !/[\s\\]/.test(site), {
        message: "must be a web address without spaces and backslashes",
        abort: true,
      })
      .transform((site) => (/^[a-z][a-z\d+.-]*:\/\//i.test(site) ? site : `https://${site}`))
      .transform((site) => (URL.canParse(site) ? new URL(site).href : site))
      .refine((site) => /^https?:\/\//i.test(site) && URL.canParse(site), "must be a web address")
      .openapi({ type: "string", description: "Address of the page to measure. Default scheme: https." })
      .nullish(),
    company: doc(text(200).nullish(), "Name of the company. Required without `website`."),
    industry: doc(text(200).nullish(), "Industry of the company."),
    goals: textOrList("Goals of the company. Next steps that serve a goal come first."),
    observations: textOrList("What you already know. The report quotes it as stated, not as measured."),
  })
  .refine(({ website, company }) => Boolean(website ?? company), {
    message: "give website or company, or both",
    path: ["website"],
  })
  .openapi("DigitalAuditRequest", {
    example: {
      company: "Example Bakery",
      industry: "bakery",
      goals: ["more visitors from search"],
      observations: ["The booking form is hard to find on phones"],
    },
  });

export type AuditInput = z.output<typeof AuditRequest>;

const Finding = z.object({
  text: doc(z.string(), "What was found.", "content-security-policy is missing: injected scripts would run."),
  evidence: doc(z.string(), "What was measured or stated.", "no content-security-policy header in the response"),
  severity: doc(z.enum(SEVERITIES), "How serious it is.", "medium"),
});
export type Finding = z.infer<typeof Finding>;

const Recommendation = z.object({
  text: doc(z.string(), "What to do.", "Send a Content-Security-Policy that limits script sources."),
  impact: doc(z.enum(LEVELS), "Expected benefit.", "high"),
  effort: doc(z.enum(LEVELS), "Expected effort.", "medium"),
});
export type Recommendation = z.infer<typeof Recommendation>;

const Section = z.object({
  heading: doc(z.string(), "Heading of the section.", "Security"),
  findings: doc(z.array(Finding), "Findings, the most important first."),
  recommendations: doc(z.array(Recommendation), "What to improve."),
});
export type Section = z.infer<typeof Section>;

const Report = z.object({
  title: doc(z.string(), "Title of the report.", "Digital audit of Example Bakery (example.org)"),
  summary: doc(z.string(), "Summary in a few sentences.", "Example Bakery (example.org) scores 74 of 100: …"),
  score: doc(
    z.int().min(0).max(100),
    "Share of the weight of all checks that apply. A page that returns an error gets at most 20.",
    74,
  ),
  scoreBasis: doc(
    z.enum(["measured", "stated"]),
    "`stated`: no website was given, and the score is the share of a checklist that the observations confirm.",
    "measured",
  ),
  sections: doc(z.array(Section), "Findings and recommendations by topic."),
  nextSteps: doc(z.array(z.string()), "The most important recommendations.", ["Serve the site over HTTPS only."]),
});
export type Report = z.infer<typeof Report>;

export const DigitalAudit = named("DigitalAudit", () => ({
  report: doc(Report, "The report."),
  markdown: doc(z.string(), "The report as Markdown.", "# Digital audit of example.org\n\n**Score: 74 of 100**\n"),
  engine: Engine,
}));

export type DigitalAudit = z.infer<typeof DigitalAudit>;

export const ModelInfo = named("WorkflowModelInfo", () => ({
  ...ActiveModel.omit({ updatedAt: true }).shape,
  engine: Engine,
}));
