import { z } from "@hono/zod-openapi";
import { REPLY_TONES } from "../../engine/reply/instruction-sentences.ts";
import { Id, TimestampInput, TimeZone } from "../../http/schemas.ts";
import { LEVELS, SEVERITIES } from "../../lib/website-audit-kinds.ts";
import { ActiveModel, Engine } from "../ai-models/schemas.ts";

const text = (max: number) => z.string().trim().min(1).max(max);

export const EmailResponseRequest = z
  .object({
    emailId: Id.optional().openapi({ description: "A stored mail, with its own subject and sender. Or `content`." }),
    content: z
      .string()
      .max(500_000)
      .refine((content) => content.trim() !== "", "must not be empty")
      .optional()
      .openapi({
        description: "The text of the mail to answer, plain or HTML.",
        example: "Hi Ann, please send me the signed contract by Friday. Could we talk on Monday at 10? Thanks, Bob",
      }),
    subject: z.string().max(1000).nullish().openapi({ example: "Contract" }),
    from: z.string().trim().max(500).nullish().openapi({ example: "Bob Ray <bob@example.org>" }),
    tone: z.enum(REPLY_TONES).optional().openapi({
      example: "friendly",
      description: "What the instructions ask for, or `formal`, when left out.",
    }),
    instructions: text(4000)
      .nullish()
      .openapi({
        example: "Accept the call, and ask for the agenda.",
        description:
          "What the answer is to say: accept, decline, postpone, propose, ask for, thank for, say that … Without any, " +
          "the answer acknowledges and promises nothing.",
      }),
    senderName: text(100)
      .refine((name) => !/[\r\n]/.test(name), "must be one line")
      .nullish()
      .openapi({ example: "Ann Lee", description: "Who signs." }),
    receivedAt: TimestampInput.optional().openapi({
      description: "What `tomorrow` in the content is counted from; now, when left out.",
    }),
    timeZone: TimeZone.optional().openapi({ description: "Your profile's when left out, or UTC." }),
  })
  .refine(({ emailId, content }) => (emailId === undefined) !== (content === undefined), {
    message: "give either emailId or content",
    path: ["content"],
  })
  .openapi("EmailResponseRequest");

export type EmailResponseInput = z.output<typeof EmailResponseRequest>;

export const EmailResponse = z
  .object({
    subject: z.string().openapi({ example: "Re: Contract" }),
    response: z.string().openapi({
      example:
        "Hi Bob,\n\nThanks for your message about “Contract”.\n\nMonday, 23 November at 10:00 works for me. " +
        "Could I ask you for the agenda?\n\nBest wishes,\nAnn Lee",
    }),
    tone: z.enum(REPLY_TONES).openapi({ example: "friendly" }),
    ignoredInstructions: z.array(z.string()).openapi({
      example: [],
      description: "Parts of the instructions that the built-in engine did not understand. Always empty with a model.",
    }),
    engine: Engine,
  })
  .openapi("EmailResponse");

const words = z
  .union([text(1000), z.array(text(1000)).max(20)])
  .nullish()
  .transform((given) => (given === null || given === undefined ? [] : [given].flat()));

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
      .openapi({
        type: "string",
        example: "https://example.org",
        description: "The page to visit and measure; https is taken when no scheme is given.",
      })
      .nullish(),
    company: text(200).nullish().openapi({ example: "Example Bakery" }),
    industry: text(200).nullish().openapi({ example: "bakery" }),
    goals: words.openapi({
      type: "array",
      items: { type: "string" },
      example: ["more visitors from search"],
      description: "One or several; those a page can show are put first among the next steps.",
    }),
    observations: words.openapi({
      type: "array",
      items: { type: "string" },
      example: ["The booking form is hard to find on phones"],
      description: "What you know already. Quoted in the report as stated, never as measured.",
    }),
  })
  .refine(({ website, company }) => Boolean(website ?? company), {
    message: "give website or company, or both",
    path: ["website"],
  })
  .openapi("DigitalAuditRequest");

export type AuditInput = z.output<typeof AuditRequest>;

const level = z.enum(LEVELS).openapi({ example: "high" });

export const DigitalAudit = z
  .object({
    report: z.object({
      title: z.string().openapi({ example: "Digital audit of Example Bakery (example.org)" }),
      summary: z.string().openapi({
        example: "Example Bakery (example.org) scores 74 of 100: 24 of 34 checks pass. What costs the most: …",
      }),
      score: z.int().min(0).max(100).openapi({
        example: 74,
        description:
          "The earned share of the weight of all checks that apply. A page that answers an error has at most 20.",
      }),
      scoreBasis: z.enum(["measured", "stated"]).openapi({
        example: "measured",
        description:
          "`stated`: no website was given, and the score is the share of a checklist that the observations confirm.",
      }),
      sections: z.array(
        z.object({
          heading: z.string().openapi({ example: "Security" }),
          findings: z.array(
            z.object({
              text: z.string().openapi({ example: "content-security-policy is missing: injected scripts would run." }),
              evidence: z.string().openapi({ example: "no content-security-policy header in the answer" }),
              severity: z.enum(SEVERITIES).openapi({ example: "medium" }),
            }),
          ),
          recommendations: z.array(
            z.object({
              text: z
                .string()
                .openapi({ example: "Send a Content-Security-Policy that names where scripts may come from." }),
              impact: level,
              effort: level,
            }),
          ),
        }),
      ),
      nextSteps: z.array(z.string()).openapi({ example: ["Serve the site over HTTPS only."] }),
    }),
    markdown: z.string().openapi({ example: "# Digital audit of example.org\n\n**Score: 74 of 100**\n" }),
    engine: Engine,
  })
  .openapi("DigitalAudit");

export const ModelInfo = z
  .object({ ...ActiveModel.omit({ updatedAt: true }).shape, engine: Engine })
  .openapi("WorkflowModelInfo");
