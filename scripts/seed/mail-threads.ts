import type { ListHeaders } from "../../src/lib/list-headers.ts";
import { chart, invitation, pdf, type SeedFile } from "./mail-files.ts";

/** Whose mail it is. */
export const MAIN_INBOX = { name: "Ada Lovelace", domain: "analytical.example" } as const;

export interface ThreadSeed {
  inbox: "hello" | "sales" | "billing" | "support";
  subject: string;
  person: { name: string; email: string };
  tags?: string[];
  daysAgo: number;
  /** Default: `person`, and checked by the receiver without a complaint. A failed check makes it `spam_like`. */
  kind?: "newsletter" | "receipt" | "auto_reply" | "spam_like";
  /** How to leave the mailing list. */
  list?: ListHeaders;
  /** The files of the first message. */
  files?(firstDay: Date): SeedFile[];
  /** In turn; one that begins with "> " is ours. */
  messages: readonly string[];
}

const ann = { name: "Ann Müller", email: "ann.mueller@nordlicht.example" };
const bruno = { name: "Bruno Costa", email: "bruno@costa-foods.example" };
const chidi = { name: "Chidi Okafor", email: "chidi.okafor@lagoshub.example" };
const dana = { name: "Dana Whitfield", email: "dana@whitfield-partners.example" };
const emre = { name: "Emre Yıldız", email: "emre@bosphorus-labs.example" };
const fumiko = { name: "Fumiko Tanaka", email: "f.tanaka@kitefold.example" };
const greta = { name: "Greta Sand", email: "greta@sandandsons.example" };
const host = { name: "Hostwell Billing", email: "billing@hostwell.example" };
const weekly = { name: "Measure Weekly", email: "news@measure-weekly.example" };

/** An hour of the day so many days later. */
const at = (day: Date, days: number, hour: number) => new Date(day.getTime() + (days * 24 + hour) * 3_600_000);

export const THREADS: readonly ThreadSeed[] = [
  {
    inbox: "sales",
    subject: "Contract for the March workshop",
    person: ann,
    tags: ["contracts"],
    daysAgo: 2,
    messages: [
      "it was good to talk on Tuesday. We would like to go ahead with the two-day workshop in March for twelve people. Could you send us the contract?",
      "> glad to hear it. The contract is attached; the dates are 17 and 18 March.",
      "thank you, that was quick. Our lawyer asks for one change: please add a clause on cancellation up to 30 days before. Everything else is fine.",
      "> done, the new version is attached.",
      "perfect. Please send the signed contract by Friday 5pm, then we can still book it in this year's budget.",
    ],
  },
  {
    inbox: "sales",
    subject: "Offer for a data audit",
    person: bruno,
    daysAgo: 6,
    messages: [
      "we run 14 shops and our stock figures never agree with the till. A colleague recommended you. Could you make us an offer for an audit?",
      "> happy to. How many systems are involved, and who owns them?",
      "two: an old ERP and the till software. I own the first, my sister the second, which is part of the problem.",
      "> understood. I would start with one week on site, at 4,800 euros plus travel.",
      "that fits. Let me know which week in December suits you.",
    ],
  },
  {
    inbox: "hello",
    subject: "Speaking at the Lagos Hub in January?",
    person: chidi,
    daysAgo: 1,
    messages: [
      "we are putting together a day on honest metrics on 23 January and would love to have you open it. Travel and hotel are on us. Please confirm by Wednesday whether you can come.",
    ],
  },
  {
    inbox: "billing",
    subject: "Invoice 2026-118 is overdue",
    person: dana,
    tags: ["invoices"],
    daysAgo: 9,
    messages: [
      "our system shows invoice 2026-118 as unpaid, but I believe we paid it on the 2nd. Could you check your account?",
      "> I looked: nothing has arrived. Did it go to the old account, perhaps?",
      "it did, sorry. The bank sent it back this morning. We will pay again today.",
      "> no problem at all.",
      "paid, and here is the confirmation. Please send me a receipt for our books.",
    ],
  },
  {
    inbox: "support",
    subject: "Dashboard shows yesterday's numbers",
    person: emre,
    tags: ["bugs"],
    daysAgo: 0,
    messages: [
      "since this morning the dashboard shows yesterday's numbers, in every browser. Could you look into it today? The board meets at four.",
      "> I see it too. The nightly job stopped at 03:12; I am restarting it now.",
      "the numbers are back, thank you! Please let me know what caused it, so that I can tell the board.",
    ],
  },
  {
    inbox: "hello",
    subject: "Coffee next week?",
    person: fumiko,
    daysAgo: 4,
    files: (day) => [invitation("coffee.ics", "Coffee", "dana@whitfield-partners.example", at(day, 7, 10))],
    messages: [
      "I am in town from Tuesday to Thursday. Shall we have a coffee and catch up? Wednesday at 10 would be ideal.",
      "> Wednesday at 10 is perfect. The usual place?",
      "the usual place it is. I look forward to it!",
    ],
  },
  {
    inbox: "billing",
    subject: "Your hosting invoice for October",
    person: host,
    tags: ["invoices"],
    daysAgo: 14,
    messages: ["your invoice for October is ready: 86.40 euros, due on 30 November. You do not need to do anything."],
  },
  {
    inbox: "sales",
    subject: "Training for five analysts",
    person: greta,
    daysAgo: 12,
    messages: [
      "do you also train people? I have five analysts who know SQL but fear statistics.",
      "> I do, and that is my favourite kind of group. Three half days, online or at your place.",
      "at our place, please. Can you send two possible dates in January?",
      "> 12 to 14 or 19 to 21 January.",
      "we take 19 to 21. Please prepare a short outline that I can show my boss.",
      "> here it is, one page.",
    ],
  },
  {
    inbox: "support",
    subject: "Access for our new colleague",
    person: bruno,
    daysAgo: 8,
    messages: [
      "Marta starts on Monday. Please add her to the reporting workspace: marta@costa-foods.example.",
      "> she is in, with read access. Tell me if she needs more.",
      "that will do, thanks.",
    ],
  },
  {
    inbox: "hello",
    subject: "Interview for our newsletter",
    person: dana,
    tags: ["press"],
    daysAgo: 16,
    messages: [
      "our newsletter goes to 3,000 accountants. May I ask you five questions about forecasting?",
      "> gladly. By mail or by phone?",
      "by mail. The questions are below; please answer them by the end of the month.",
      "> my answers are attached. Cut as you like.",
      "wonderful, they go out on the first.",
    ],
  },
  {
    inbox: "hello",
    subject: "Photos of the conference",
    person: chidi,
    daysAgo: 19,
    messages: [
      "the photos of the conference are online. You look very convinced on number 42.",
      "> I was! Thank you for sending them.",
    ],
  },
  {
    inbox: "sales",
    subject: "Second phase of the forecast project",
    person: emre,
    tags: ["contracts"],
    daysAgo: 3,
    messages: [
      "phase one convinced everybody, even finance. We would like to talk about phase two.",
      "> that makes me happy. Shall we say Thursday at 14:00?",
      "Thursday at 14:00 works. Please bring an estimate for twelve months.",
      "> will do.",
    ],
  },
  {
    inbox: "billing",
    subject: "New bank details",
    person: greta,
    tags: ["invoices"],
    daysAgo: 11,
    messages: [
      "we changed our bank. Please update the account on your side before the next invoice.",
      "> for safety I would like to confirm this by phone. May I call you at your office number?",
      "very good of you. Call me any time today.",
      "> confirmed and updated.",
    ],
  },
  {
    inbox: "support",
    subject: "Export as CSV breaks umlauts",
    person: ann,
    tags: ["bugs"],
    daysAgo: 5,
    messages: [
      "when I open the export in Excel, Müller becomes MÃ¼ller. Can you fix that?",
      "> yes: Excel wants a mark at the start of the file. It will be in tomorrow's release.",
      "it works now, many thanks!",
      "> great. Tell me if you see it anywhere else.",
      "one more: the PDF export has the same problem. Please check it when you have a moment.",
    ],
  },
  {
    inbox: "hello",
    subject: "Book recommendation",
    person: fumiko,
    daysAgo: 20,
    files: () => [pdf("reading-list.pdf", ["Reading list", "1. The Measure of All Things", "2. Longitude"])],
    messages: [
      "you asked for the book I mentioned: it is about the history of measurement, and it is very funny.",
      "> ordered! Thank you.",
      "let me know how you like it.",
      "> chapter three is the best thing I have read this year.",
      "I knew it. There is a second volume, too.",
    ],
  },
  {
    inbox: "hello",
    subject: "Measure Weekly: ten years of the new kilogram",
    person: weekly,
    daysAgo: 2,
    kind: "newsletter",
    list: {
      id: "weekly.measure-weekly.example",
      url: "https://measure-weekly.example/unsubscribe/ada",
      mailto: "mailto:leave@measure-weekly.example",
      oneClick: true,
      isSigned: true,
    },
    files: () => [chart("visits.png", [22, 30, 27, 41, 48, 60, 72])],
    messages: [
      "this week: ten years of the new kilogram, and a clock that loses a second in 300 million years. Read more on our website, or unsubscribe there.",
    ],
  },
  {
    inbox: "billing",
    subject: "Your receipt from Hostwell #2210-4411",
    person: { name: "Hostwell", email: "no-reply@hostwell.example" },
    daysAgo: 3,
    kind: "receipt",
    files: () => [pdf("receipt-2210-4411.pdf", ["Receipt 2210-4411", "Amount paid: 86.40 EUR"])],
    messages: ["thank you for your payment. Amount paid: 86.40 EUR, card ending 4242."],
  },
  {
    inbox: "sales",
    subject: "Automatic reply: Training for five analysts",
    person: greta,
    daysAgo: 2,
    kind: "auto_reply",
    messages: ["I am out of the office until Monday. In urgent cases please contact my colleague Tim."],
  },
  {
    inbox: "billing",
    subject: "URGENT: pay this invoice today",
    person: host,
    daysAgo: 1,
    kind: "spam_like",
    messages: [
      "our bank account has changed. Please send the 4,200 EUR of your open invoice to the new account today, or your server will be switched off.",
    ],
  },
];
