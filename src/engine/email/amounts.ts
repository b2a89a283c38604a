/** Groups of three digits with one kind of separator, or plain digits; then a fraction of one or two digits. */
const NUMBER =
  "(?:\\d{1,2}(?:,\\d{2}){1,6},\\d{3}(?:\\.\\d{1,2})?|\\d{1,3}(?:,\\d{3}){1,6}(?:\\.\\d{1,2})?|\\d{1,3}(?:\\.\\d{3}){1,6}(?:,\\d{1,2})?|\\d{1,3}(?:['’]\\d{3}){1,6}(?:[.,]\\d{1,2})?|\\d{1,3}(?:[ \\u00a0\\u202f]\\d{3}){1,6}(?:[.,]\\d{1,2})?|\\d{1,9}(?:[.,]\\d{1,2})?)";
const CODES = "USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|MXN|ZAR|SGD|HKD|Fr\\.|Rs\\.?|kr\\.?";
const SCALE = "(?:[ \\u00a0]?(?:k|m|bn|mio\\.?|mrd\\.?|tsd\\.?|million|billion|thousand|lakh|crore))?";
/** Nothing of a longer number may be left over on either side: a part of an amount is worse than none. */
const BEFORE = "(?<![\\d.,'’])";
const AFTER = "(?!\\d|[.,'’]\\d|[ \\u00a0\\u202f]\\d{3}(?!\\d))";
/** "10–20 EUR": the smaller amount has no currency of its own. */
const RANGE = `(?:${NUMBER}[ \\u00a0]?[-–][ \\u00a0]?)?`;
const SIGN = "(?:\\b(?:US|AU|CA|NZ|HK|MX|A|C|S|R)\\$|(?<![A-Za-z])\\$|[€£¥₹])";
const AMOUNT = new RegExp(
  `(?:${SIGN}|\\b(?:${CODES}))[ \\u00a0]?${BEFORE}${RANGE}${NUMBER}${AFTER}${SCALE}(?:,-|\\.-)?(?!\\w)|` +
    `${BEFORE}\\b${RANGE}${NUMBER}${AFTER}${SCALE}(?:,-|\\.-)?[ \\u00a0]?(?:[$€£¥₹](?!\\d)|zł|Kč|(?:${CODES}|dollars?|euros?|pounds?|francs?|Franken|yen|rupees|kronor|kroner)(?!\\w))`,
  "gi",
);

const CURRENCY = new RegExp(`[$€£¥₹]|zł|Kč|${CODES}|dollar|euro|pound|franc|franken|yen|rupees|kronor|kroner`, "i");

/** The amounts of money in a text, as they are written: "1.234,56 EUR", "CHF 1'250.00", "$40k". */
export function amountsIn(text: string): string[] {
  if (!CURRENCY.test(text)) return [];
  return [...text.matchAll(AMOUNT)].map(([amount]) => amount.trim());
}
