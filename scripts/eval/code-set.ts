import { readFileSync } from "node:fs";
import { join } from "node:path";
import { htmlToText } from "../../src/lib/html-text.ts";
import { LANGUAGES, type Language } from "../../src/lib/languages.ts";
import { FOLDER } from "./case-set.ts";
import { parseMail } from "./mail-reading.ts";
import { type CodeLabel, minutesIn, readHalf } from "./mail-set.ts";

/** An email, and the code or link that it signs its reader in with; null if there is none. */
export interface CodeCase {
  language: Language;
  from: string;
  subject: string;
  body: string;
  html: string | null;
  /** One that is lasting, such as a password, is used more than once and has no end. */
  label: (CodeLabel & { isLasting?: boolean }) | null;
}

/** The short emails in `test/data/mail/codes`, which were written to develop the recognition of codes. */
export const readCodes = () => casesIn("codes");

/** Those of `codes-second`: every second one was used to develop it as well, the others only measure it. */
export function secondCodes(use: "developing" | "measuring"): CodeCase[] {
  return casesIn("codes-second").filter((_, at) => at % 2 === (use === "developing" ? 0 : 1));
}

function casesIn(folder: string): CodeCase[] {
  return LANGUAGES.flatMap((language) => {
    const text = readFileSync(join(FOLDER, "mail", folder, `${language}.txt`), "utf8");
    return text
      .split(/^=== /m)
      .slice(1)
      .map((block) => readCase(block, language));
  });
}

/** What stands for `%%4600%%`: that many characters of sentences that are about something else. */
const SENTENCES: Record<Language, string> = {
  en: "We look after the safety of our customers and check what happens every day. ",
  de: "Wir achten auf die Sicherheit unserer Kundinnen und prüfen jeden Tag, was geschieht. ",
  fr: "Nous veillons à la sécurité de nos clients et regardons chaque jour ce qui se passe. ",
  es: "Cuidamos la seguridad de nuestros clientes y miramos cada día lo que sucede. ",
};

const CASE = /^(none|link|code ([^|\n]+?))(?: \| ([^\n]+))?\nfrom: .*<([^>\n]+)>\nsubject: ([^\n]*)\n\n([\s\S]*)$/;

function readCase(block: string, language: Language): CodeCase {
  const match = CASE.exec(block);
  if (!match) throw new Error(`test/data/mail/codes/${language}.txt: this is not an email with its label: ${block}`);
  const [, kind, value = "", length = "", from = "", subject = "", written = ""] = match;
  const text = written.replace(/%%(\d+)%%/, (_, count) =>
    SENTENCES[language].repeat(Math.ceil(Number(count) / SENTENCES[language].length)),
  );
  const html = text.startsWith("<") ? text : null;
  const body = html === null ? text : htmlToText(html);
  const fail = (problem: string): never => {
    throw new Error(`${subject}: ${problem}`);
  };
  const isLasting = length === "lasting";
  const label =
    kind === "none"
      ? null
      : { value, isLink: kind === "link", minutes: isLasting ? null : minutesIn(length, fail), isLasting };
  return { language, from, subject, body, html, label };
}

/** The visible half of the whole emails, as the same cases. */
export async function visibleCodes(): Promise<CodeCase[]> {
  return Promise.all(
    readHalf("visible").map(async (email) => {
      const { from, subject, body, html } = await parseMail(email);
      return { language: email.language, from: from.email, subject, body, html, label: email.codes[0] ?? null };
    }),
  );
}
