import type { Category } from "../../lib/email-kinds.ts";
import { wordSet } from "../../lib/words.ts";
export const POSITIVE = wordSet(
  "thanks thank great good excellent wonderful happy glad pleased love loved appreciate appreciated perfect awesome fantastic congratulations congrats delighted nice enjoy enjoyed helpful excited amazing well brilliant success successful impressive kind grateful thrilled fun welcome best",
);
export const NEGATIVE = wordSet(
  "unfortunately sorry problem problems issue issues bad terrible awful disappointed disappointing unhappy angry upset frustrated frustrating fail failed failing failure failures broken wrong worst complaint complain unacceptable delay delayed late concern concerned concerns worried error errors bug crash crashed lost missing refuse refused reject rejected cancel cancelled overdue poor annoyed mistake regret unable difficult trouble outage down",
);
export const NEGATIONS = wordSet("not no never don't doesn't didn't isn't wasn't can't won't without hardly");

/** Phrases that make an email more urgent: pattern, points, and the reason that is shown. */
export const PRESSING: readonly (readonly [RegExp, number, string])[] = [
  [
    /\b(?:emergency|sev(?:erity)? ?[01]\b|(?:production|server|servers|system|site|service|website|network|database)(?: \w+){0,2} (?:is|are|was|went) down|outage|security (?:breach|incident)|data (?:breach|loss))\b/i,
    45,
    "mentions an emergency or outage",
  ],
  [
    /\b(?:urgent(?:ly)?|asap|a\.s\.a\.p|immediately|right away|at once|without delay|critical)\b/i,
    35,
    "says it is urgent",
  ],
  [
    /\b(?:as soon as possible|time[- ]sensitive|top priority|high priority|action required|final (?:notice|reminder|warning)|last chance to respond)\b/i,
    28,
    "asks for quick action",
  ],
  [
    /\b(?:overdue|past due|missed the deadline|suspended|will be (?:closed|disconnected|terminated|suspended))\b/i,
    25,
    "overdue or at risk",
  ],
  [
    /\b(?:important|priority|deadline|need(?:ed)? (?:this|it|an answer|your (?:answer|reply|approval)))\b/i,
    12,
    "stresses importance",
  ],
  [
    /\b(?:blocked|blocking|blocker|waiting (?:on|for) you(?:r)?|holding (?:us )?up|second reminder|following up again|still waiting)\b/i,
    15,
    "others are waiting",
  ],
];
export const RELAXED: readonly (readonly [RegExp, number, string])[] = [
  [
    /\b(?:no rush|no hurry|not urgent|whenever you (?:can|have|get)|when you get a chance|at your (?:leisure|convenience)|low priority|take your time)\b/i,
    -20,
    "says there is no hurry",
  ],
  [
    /\b(?:fyi|for your information|no action (?:is )?(?:needed|required)|just (?:a heads up|letting you know))\b/i,
    -10,
    "is for information only",
  ],
];

/** Words that indicate a category, and how strongly. */
export const CATEGORY_CUES: readonly (readonly [Category, number, RegExp])[] = [
  [
    "invoice",
    3,
    /\binvoice (?:#|no|number|\d|is|for|attached|due)|\b(?:attached|see|your|new) invoice\b|\binvoice\b.{0,40}\b(?:due|attached|total)\b/i,
  ],
  [
    "invoice",
    2,
    /\b(?:(?:prämien)?rechnung|rechnungs(?:betrag|nummer)|zahlbar|facture|factura|amount due|payment due|due (?:date|on|by)|balance due|please (?:pay|remit)|net 30|bank details|outstanding (?:balance|payment|invoice)|remittance|overdue)\b/i,
  ],
  [
    "receipt",
    3,
    /\b(?:bestell(?:ung|bestätigung)|gesamtsumme|votre commande|su pedido|receipt|order (?:confirmation|confirmed|#|number)|thank you for your (?:order|purchase|payment)|payment (?:received|confirmation|successful)|your (?:purchase|order) (?:from|of|has|is))\b/i,
  ],
  ["receipt", 1, /\b(?:subtotal|total (?:paid|charged)|paid with|card ending|order total|transaction id|refund)\b/i],
  [
    "newsletter",
    2,
    /\b(?:unsubscribe|newsletter|view (?:this email )?in (?:your )?browser|manage (?:your )?(?:email )?preferences|weekly (?:digest|roundup|update)|this week in|edition|subscribe)\b/i,
  ],
  [
    "newsletter",
    1,
    /\b(?:read more|latest (?:news|posts|articles)|top stories|blog|webinar|featured|our (?:new|latest))\b/i,
  ],
  [
    "notification",
    2,
    /\b(?:do not reply|don't reply|no-?reply|automated (?:message|email|notification)|notification|password (?:reset|changed)|verification code|security (?:alert|code)|sign-?in (?:attempt|from)|your account|has been (?:shipped|delivered|updated|assigned|merged|deployed)|build (?:failed|passed)|new comment|mentioned you (?:in|on)\b|requested (?:your|a) review|pull request|assigned (?:to )?you)\b/i,
  ],
  [
    "spam-like",
    3,
    /\b(?:you(?:'ve| have) won|winner|lottery|claim your (?:prize|reward|money)|wire transfer of|million (?:dollars|usd)|inheritance|prince|viagra|cialis|weight loss|work from home|make \$?\d+|double your|risk[- ]free|100% free|act now|limited time offer|click here now|crypto giveaway|hot singles|enlarge|miracle)\b/i,
  ],
  [
    "spam-like",
    1,
    /!{3,}|\$\$\$|\b(?:free money|guaranteed|no obligation|dear (?:friend|beneficiary|winner)|urgent business proposal|once in a lifetime)\b/i,
  ],
  [
    "work",
    1,
    /\b(?:project|client|customer|report|contract|proposal|team|deadline|budget|review|deliverable|presentation|spreadsheet|quarter(?:ly)?|sales|manager|stakeholders?|agenda|roadmap|release|deploy|ticket|attached (?:is|are|the)|please find|draft|document|agreement|policy|schedule|office|department|meeting notes|legal|counsel|approval|approve|sign(?:ature|ed|-off)|figures|numbers|forecast|supplier|vendor|colleagues?|onboarding|payroll|board|slides|server|outage|data|website|wiki|access|printer|invoice|offer|quote|order|complaint|delivery|drawings|regards|training|drill|request)\b/i,
  ],
  [
    "work",
    1.5,
    /\b(?:(?:dear|hi|hello) (?:colleagues|all|team|both)|intranet|all[- ]staff|database|court|plaintiff|(?:vacation|leave|holiday|time[- ]off) request|your first day|human resources|timesheets?|expense (?:report|claim)s?|purchase order|quarter[- ]end|stand-?up|sprint|backlog|pull request|incident|reception|audit|compliance)\b/i,
  ],
  [
    "personal",
    2,
    /\b(?:mom|mum|dad|grandma|grandpa|love you|miss you|happy birthday|hugs|xoxo|my (?:wife|husband|son|daughter|brother|sister|kids|girlfriend|boyfriend|family)|the kids|your (?:wife|husband|family|kids)|weekend plans|wedding|vacation|holiday|family|barbecue|bbq|beers?|movie|concert|beach)\b/i,
  ],
];
