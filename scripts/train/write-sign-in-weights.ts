import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { candidatesIn } from "../../src/engine/email/sign-in.ts";
import type { Language } from "../../src/lib/languages.ts";
import { pairs } from "../../src/lib/words.ts";
import { type CodeCase, readCodes, secondCodes, visibleCodes } from "../eval/code-set.ts";
import { inFolds } from "./common.ts";

/** Weighs the signs of sign-in codes and links by logistic regression, and writes the weights. Part of `npm run train`. */

const ROUNDS = 800;
const RATE = 0.5;
/** How strongly weights are drawn to those that we expect, so that a rare sign does not depend on a few cases. */
const DECAY = 0.03;
const EXPECTED = pairs(
  "code: -6, link: -5, link-bulk: -5, link-subject-news: -4, enter-it: 2, long: -3, conference: -4, bulk: -3, talk: -3, code-talk: -5, lasting: -2, percent: -2, news: -3, subject-news: -2, near-other: -3, named-otherwise: -3",
  "lead-other: -1, subject-other: -1, other: -1, number: -2, money: -2, first-person: -2, path-other: -1, reply: -1, over-250: -1",
  "sure-name: 3, sure: 3, named: 2, named-signing: 1, named-signing-told: 1, entering: 2, introduced: 2, alone: 1, it-is: 2, in-subject: 1, also-in-subject: 2, six-digits: 1, near-signing: 1",
  "near-confirming: 1, password: 1, expires: 1, expires-soon: 1, warning: 1, machine: 1, forwarded: 1, signing: 1, subject-signing: 1, subject-confirming: 1, subject-name: 1",
  "token: 2, no-token: -2, clicking: 1, path: 1, path-magic: 1, near-password: 1, sure-words: 1, user-name: 2",
  "word-colon: 2, word-is: 2, word-before: 1, word-entered: 2, word-named: 1, word-alone: 1, quoted: 1, plain-word-colon: -1, plain-word-is: -2, plain-word-named: -2, goes-on: -2",
);
const expected = (sign: string) => Number(EXPECTED.get(sign) ?? EXPECTED.get(sign.replace(/^(?:code|link)-/, "")) ?? 0);
/** A weight below this is not worth its line. */
const LEAST = 0.15;

/** Evidence against; all other signs are evidence for. A weight never gets the other sign, whatever few cases say. */
const AGAINST =
  /(?:^|-)(?:other|news|bulk|lasting|conference|percent|reply|talk|full-name|own-name|over-\d+|number|money|no-address|no-token|letters|long|first-person|goes-on|named-otherwise|plain-word-\w+)$/;
/** Real messages are longer than those of the set. */
const FOOTERS: Record<Language, string> = {
  en: "Questions? Visit our help centre or call +44 20 5512 9001.\nThis message was sent to nora@feld.example. Please do not reply.\nExample Ltd, 14 Harbour Street, London. Registered in England, no. 5581204. Privacy | Terms",
  de: "Fragen? Besuchen Sie unsere Hilfe oder rufen Sie uns an: 030 5512 900.\nDiese Nachricht ging an nora@feld.example. Bitte antworten Sie nicht.\nMuster GmbH, Hauptstraße 14, 10115 Berlin, HRB 558120, Geschäftsführerin: A. Klein. Impressum | Datenschutz",
  fr: "Une question ? Consultez notre aide ou appelez le 01 55 12 90 00.\nCe message a été envoyé à nora@feld.example. Merci de ne pas y répondre.\nExemple SA, 14 rue du Port, 69002 Lyon, RCS 558 120. Mentions légales | Confidentialité",
  es: "¿Dudas? Visite nuestra ayuda o llame al 915 512 900.\nEste mensaje se ha enviado a nora@feld.example. No responda a este correo.\nEjemplo S.L., calle Mayor 14, 28013 Madrid, CIF B5581204. Aviso legal | Privacidad",
};
const withFooter = (each: CodeCase): CodeCase => ({
  ...each,
  body: `${each.body.trimEnd()}\n\n${FOOTERS[each.language]}`,
  html: each.html && `${each.html}<p>${FOOTERS[each.language].replaceAll("\n", "<br>")}</p>`,
});

type Weights = ReadonlyMap<string, number>;

const tight = (code: string) => code.replace(/[\s-]/g, "").toLowerCase();
const isRight = (code: string | null, { label }: CodeCase) =>
  label !== null && (label.isLink ? code === null : code !== null && tight(code) === tight(label.value));
const scoreOf = (weights: Weights, signs: readonly string[]) =>
  signs.reduce((sum, sign) => sum + (weights.get(sign) ?? expected(sign)), 0);

function train(cases: readonly CodeCase[]): Weights {
  const messages = cases
    .flatMap((each) => [each, withFooter(each)])
    .map((each) =>
      candidatesIn(each)
        // A message with both has a code as its label; its link would be right as well.
        .filter(({ code }) => !(code === null && each.label && !each.label.isLink))
        .map(({ code, signs }) => ({ signs, truth: isRight(code, each) ? 1 : 0 })),
    );
  const names = [...new Set(messages.flat().flatMap(({ signs }) => signs))];
  const places = new Map(names.map((name, at) => [name, at]));
  const prior = names.map(expected);
  const weights = [...prior];
  const sum = (signs: readonly number[]) => signs.reduce((total, at) => total + (weights[at] ?? 0), 0);
  const numbered = messages.map((all) =>
    all.map(({ signs, truth }) => ({ truth, signs: signs.map((sign) => places.get(sign) ?? 0) })),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const slopes = names.map(() => 0);
    // Of several links, and of a code that stands there twice, the one that looks most like it is the right one.
    const examples = numbered.flatMap((all) => {
      const [best] = all.filter(({ truth }) => truth === 1).sort((a, b) => sum(b.signs) - sum(a.signs));
      return all.filter((each) => each.truth === 0 || each === best);
    });
    for (const { signs, truth } of examples) {
      const error = truth - 1 / (1 + Math.exp(-sum(signs)));
      for (const at of signs) slopes[at] = (slopes[at] ?? 0) + error;
    }
    for (const [at, name] of names.entries()) {
      const [weight = 0, from = 0, slope = 0] = [weights[at], prior[at], slopes[at]];
      const next = weight + RATE * ((20 * slope) / examples.length - DECAY * (weight - from));
      const isBias = name === "code" || name === "link";
      weights[at] = isBias ? next : AGAINST.test(name) ? Math.min(0, next) : Math.max(0, next);
    }
  }
  return new Map(names.map((name, at) => [name, weights[at] ?? 0]));
}

/** The same choice as that of `signInOf`. */
function found(weights: Weights, each: CodeCase): { code: string | null } | null {
  const scored = candidatesIn(each).map(({ code, signs }) => ({ code, score: scoreOf(weights, signs) }));
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return best.find(({ code }) => code !== null) ?? best[0] ?? null;
}

function measure(tried: readonly { example: CodeCase; model: Weights }[]) {
  const results = tried.map(({ example, model }) => ({ example, guess: found(model, example) }));
  const wrong = results.filter(({ example, guess }) =>
    guess ? !isRight(guess.code, example) : example.label !== null,
  );
  const hits = results.filter(({ example, guess }) => guess && isRight(guess.code, example)).length;
  const all = results.filter(({ guess }) => guess).length + results.filter(({ example }) => example.label).length;
  return { f1: (2 * hits) / all, wrong };
}

const cases = [...readCodes(), ...secondCodes("developing"), ...(await visibleCodes())];
const shown = ({ f1, wrong }: ReturnType<typeof measure>) =>
  `F1 ${(100 * f1).toFixed(1)}, errors:\n${wrong.map(({ example, guess }) => `  ${example.language} ${example.subject}: ${example.label?.value ?? "none"} / ${guess ? (guess.code ?? "link") : "none"}`).join("\n")}`;
const weights = train(cases);
const tried = inFolds(cases, train);
console.log(`sign-in codes, each fold by weights of the others: ${shown(measure(tried))}`);
const longer = tried.map(({ example, model }) => ({ example: withFooter(example), model }));
console.log(`with a footer below each: ${shown(measure(longer))}`);
console.log(`with all: ${shown(measure(cases.map((example) => ({ example, model: weights }))))}`);

const kept = [...weights].filter(([, weight]) => Math.abs(weight) >= LEAST).sort(([a], [b]) => a.localeCompare(b));
const lines = kept.map(([sign, weight]) => `${sign}: ${weight.toFixed(1)}`);
const source = `import { pairs } from "../../lib/words.ts";

/** Made by \`npm run train\`; do not edit. */
export const SIGN_IN_WEIGHTS = pairs(
  "${lines.join(", ")}",
);
`;
writeFileSync(join(import.meta.dirname, "../../src/engine/email/sign-in-weights.ts"), source);
