import type { SenderProof } from "../../lib/authentication-results.ts";
import { remembered } from "../../lib/remembered.ts";
import { words } from "../../lib/words.ts";
import { CATEGORY_CUES } from "./classify-words.ts";

/** The facts that decide suspicion. */
interface SuspectFacts {
  proof: SenderProof;
  from: string;
  fromName: string;
  replyTo: string | null;
  /** The inbox it came to; its domain is worth imitating. */
  deliveredTo: string | null;
  isMarkedSpam: boolean;
  subject: string;
  body: string;
}

/** Brands that thieves pretend to be. Their own domains begin with the name. */
const BRANDS = words(
  "paypal amazon apple icloud microsoft office365 outlook google gmail netflix spotify facebook instagram whatsapp linkedin dropbox docusign adobe ebay dhl fedex ups usps hermes dpd coinbase binance metamask wellsfargo bankofamerica chase citibank hsbc barclays santander sparkasse commerzbank postbank visa mastercard amex stripe revolut steam walmart",
);
const FREE_MAIL =
  /@(?:gmail|googlemail|outlook|hotmail|live|yahoo|ymail|aol|gmx|web|mail|proton|protonmail|icloud|yandex|zoho|freemail|tutanota)\./i;
const SERVICE_WORD =
  /\b(?:support|security|team|service|services|billing|accounts?|help ?desk|alerts?|notifications?|verif\w+|customer|express|admin|no-?reply)\b/i;

/** Demands that no honest sender makes by email, or rarely: pattern and points. */
const DEMANDS: readonly (readonly [RegExp, number])[] = [
  // A password, code or card number is to be sent or typed in.
  [
    /\b(?:(?:send|give|tell|e-?mail|text|forward|reply with|confirm|verify|enter|provide|update|submit|type)(?: \w+){0,4} (?:your|the)(?: \w+){0,3} (?:password|passcode|pin|credentials?|login|log-?in details|card (?:number|details)|credit card|cvv|social security|ssn|banking? details|bank details|seed phrase|recovery phrase|security code|passport)|your e-?mail and password|(?:verify|confirm) your account)\b/i,
    2.5,
  ],
  [
    /\b(?:buy|purchase|get|pick up|order)\b.{0,60}\bgift ?cards?\b.{0,200}\b(?:codes?|scratch|pictures?|photos?|reimburse)\b/is,
    3,
  ],
  [
    /\b(?:bitcoin|btc|crypto|usdt|ethereum)\b.{0,120}\b(?:wallet|address|double|send|profit|guaranteed)|\b(?:send|pay|double)\b.{0,60}\b(?:bitcoin|btc|usdt|ethereum)\b/is,
    2.5,
  ],
  [/\b(?:recorded you|your webcam|access to your device|compromising|send the video)\b/i, 2],
  [
    /\b(?:inheritance|next of kin|beneficiary|unclaimed funds?|(?:million|billion) (?:us )?(?:dollars|usd|euros?|pounds)|lottery|you have won|claim your (?:prize|reward|winnings?)|late (?:client|relative|husband))\b.{0,400}\b(?:million|dollars|usd|prize|winnings?|bank details|passport|lawyer|barrister|fee|claim)\b/is,
    3.5,
  ],
  [/\b(?:customs|delivery|shipping|release|handling) fee\b/i, 1],
];

/** Pressure alone is only a hurry. */
const PRESSURE =
  /\b(?:within (?:the next )?\d+ ?(?:h|hours?|minutes?)|(?:by|until|before) \d{1,2}(?::\d\d)? ?(?:am|pm)? ?(?:today|tonight)|expires? today|immediately|urgent(?:ly)?|act now|final (?:notice|warning)|action required|as soon as possible|or (?:else )?(?:lose|we will)|avoid (?:suspension|closure)|limited time)\b/i;
const THREAT =
  /\b(?:(?:account|mailbox|access|service|card|parcel|package)\b.{0,40}\b(?:suspend|clos|terminat|deactivat|lock|block|limit|delet|return)\w*|suspension of your|lose access|permanently (?:closed|deleted|locked)|avoid (?:suspension|closure))/i;
const SECRECY =
  /\b(?:keep this (?:confidential|between us|secret|private)|do not tell (?:anyone|anybody)|don't tell (?:anyone|anybody)|discreet(?:ly)?|risk[- ]free|guaranteed|dear (?:customer|beneficiary|friend|winner|user|sir))\b/i;

/** Phrases of advertising that nobody asked for. */
const HAWKING = CATEGORY_CUES.flatMap(([category, , { source }]) =>
  category === "spam-like" ? [new RegExp(source, "gi")] : [],
);

const ANY_HAWKING = new RegExp(HAWKING.map(({ source }) => `(?:${source})`).join("|"), "i");

const ENOUGH = 4;
const READ_CHARACTERS = 8000;

/**
 * Whether an email looks like fraud. Several signs must come together, one of them a demand or a false name: a single
 * word never makes a person's message suspicious.
 */
export function isSuspicious(facts: SuspectFacts): boolean {
  const text = `${facts.subject}\n${facts.body.slice(0, READ_CHARACTERS)}`;
  const disguise = disguises([facts.from, facts.fromName, facts.deliveredTo ?? ""].join("\0"));
  const demands = DEMANDS.reduce((sum, [pattern, points]) => sum + (pattern.test(text) ? points : 0), hawking(text));
  if (facts.isMarkedSpam && demands + disguise >= 1) return true;
  if (disguise === 0 && demands < 2) return false;
  const pressure = [PRESSURE, THREAT, SECRECY].filter((pattern) => pattern.test(text)).length;
  const proof = facts.proof === "verified" ? 0 : 0.5;
  const diversion = isDiverted(facts) ? 1.5 : 0;
  // A false name alone may be clumsy; without a demand or pressure it asks for nothing.
  if (demands === 0 && pressure === 0) return false;
  return demands + disguise + pressure + proof + diversion >= ENOUGH;
}

/** One such phrase is anybody's, and two are a joke; three different ones are a sales pitch. */
function hawking(text: string): number {
  if (!ANY_HAWKING.test(text)) return 0;
  const found = new Set(
    HAWKING.flatMap((pattern) => [...text.matchAll(pattern)].map(([phrase]) => phrase.toLowerCase())),
  );
  return found.size >= 4 ? ENOUGH : found.size === 3 ? 3 : 0;
}

/** Points for a name or a domain that pretends to be another. Most senders write again. */
const disguises = remembered((sender) => {
  const [from = "", fromName = "", deliveredTo = ""] = sender.split("\0");
  const domain = domainOf(from);
  let points = 0;
  const named = /(?<![\w.+-])[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/.exec(fromName)?.[1]?.toLowerCase();
  if (named && !isSameSite(named, domain)) points += 2;
  const plainName = fromName.toLowerCase().replace(/[^a-z0-9]/g, "");
  const claimed = BRANDS.find((brand) => plainName.startsWith(brand));
  const isWholeName = claimed !== undefined && (plainName === claimed || SERVICE_WORD.test(fromName));
  if (claimed && isWholeName && !labelsOf(domain).some((label) => label === claimed)) points += 2;
  if (labelsOf(domain).some(imitatesBrand)) points += 2;
  const own = deliveredTo && !FREE_MAIL.test(deliveredTo) ? domainOf(deliveredTo) : "";
  if (own && domain !== own && unmasked(domain) === unmasked(own)) points += 3;
  return points;
});

/** "paypa1", "secure-paypal" and "paypal-login" are not PayPal; "paypal" is. */
function imitatesBrand(label: string): boolean {
  if (BRANDS.some((brand) => brand === label)) return false;
  // Once: there are many brands, and reading one like a hurried reader takes a while.
  unmaskedBrands ??= new Set(BRANDS.map(unmasked));
  const plain = unmasked(label);
  return (
    unmaskedBrands.has(plain) || (plain.includes("-") && plain.split("-").some((part) => unmaskedBrands?.has(part)))
  );
}

let unmaskedBrands: Set<string> | undefined;

/** As a hurried reader sees it: letters and digits that look alike become one. */
function unmasked(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/rn/g, "m")
    .replace(/vv/g, "w")
    .replace(/[1il|!]/g, "l")
    .replace(/[0о]/g, "o")
    .replace(/[5$]/g, "s")
    .replace(/3/g, "e");
}

/** Answers go to a free address, or from one free address to another sender. */
function isDiverted({ from, replyTo }: SuspectFacts): boolean {
  if (!replyTo || isSameSite(domainOf(replyTo), domainOf(from))) return false;
  return FREE_MAIL.test(replyTo) || FREE_MAIL.test(from);
}

function isSameSite(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/** The names of a domain without its ending. */
function labelsOf(domain: string): string[] {
  return domain.split(".").slice(0, -1);
}
