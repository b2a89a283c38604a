/** Groups of three digits with one kind of separator, or plain digits; then a fraction of one or two digits. */
const NUMBER =
  "(?:\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,2})?|\\d{1,3}(?:\\.\\d{3})+(?:,\\d{1,2})?|\\d{1,3}(?:['’]\\d{3})+(?:[.,]\\d{1,2})?|\\d{1,3}(?:[ \\u00a0\\u202f]\\d{3})+(?:[.,]\\d{1,2})?|\\d{1,9}(?:[.,]\\d{1,2})?)";
const CODES = "USD|EUR|GBP|CHF|JPY|CNY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|MXN|ZAR|SGD|HKD|Fr\\.|Rs\\.?";
const SCALE = "(?:[ \\u00a0]?(?:k|m|bn|mio|million|billion|thousand))?";
/** Nothing of a longer number may be left over on either side: a part of an amount is worse than none. */
const BEFORE = "(?<![\\d.,'’])";
const AFTER = "(?!\\d|[.,'’]\\d|[ \\u00a0\\u202f]\\d{3}(?!\\d))";
const AMOUNT = new RegExp(
  `(?:[$€£¥₹]|\\b(?:${CODES}))[ \\u00a0]?${BEFORE}${NUMBER}${AFTER}${SCALE}(?:,-|\\.-)?\\b|` +
    `${BEFORE}\\b${NUMBER}${AFTER}${SCALE}(?:,-|\\.-)?[ \\u00a0]?(?:[$€£¥₹]|(?:${CODES}|dollars?|euros?|pounds?|francs?|yen)\\b)`,
  "gi",
);

/** The amounts of money in a text, as they are written: "1.234,56 EUR", "CHF 1'250.00", "$40k". */
export function amountsIn(text: string): string[] {
  return [...text.matchAll(AMOUNT)].map(([amount]) => amount.trim());
}
