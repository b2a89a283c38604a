import { expect, it } from "vitest";
import { amountsIn } from "../../src/engine/email/amounts.ts";

it.each(
  "1.234,56 EUR|CHF 1'250.00|12.500 €|99,90€|$1,250.50|USD 40k|EUR 1 234,56|1 234 567 kr|Rs. 5,000|€ 12,-|CHF 20.-|1,5 Mio. EUR|US$ 500|R$ 1.500,00|20 Franken|10-20 EUR|₹1,00,000|5 million euros".split(
    "|",
  ),
)("an amount is read whole: %s", (amount) => expect(amountsIn(`Please pay ${amount} today.`)).toEqual([amount]));

it.each(["version 1.2.3", "1.234.56 EUR", "12,34,56 EUR", "12.5 %", "room 204"])("no part of %s is an amount", (text) =>
  expect(amountsIn(`It is ${text} now.`)).toEqual([]),
);

it("a number before another amount has no currency", () =>
  expect(amountsIn("Professional seat × 3  $45.00")).toEqual(["$45.00"]));
