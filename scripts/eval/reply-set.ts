import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeReply } from "../../src/engine/reply/reply.ts";
import { LANGUAGE_NAMES, LANGUAGES, type Language } from "../../src/lib/languages.ts";
import { FOLDER } from "./case-set.ts";

/** An instruction for a reply, and what the draft has to be. */
export interface ReplyCase {
  instruction: string;
  /** Of the email that is answered. */
  email: Language;
  /** Of the draft. */
  language: Language;
  /** Whether the draft has to quote the instruction, may, or must not. */
  quoted: "always" | "maybe" | "never";
  has: string[];
  hasNot: string[];
}

/** The instructions in `test/data/replies`. */
export function readReplies(file: "written" | "fresh"): ReplyCase[] {
  return LANGUAGES.flatMap((language) => {
    let email: Language = language;
    return readFileSync(join(FOLDER, "replies", file, `${language}.txt`), "utf8")
      .split("\n")
      .flatMap((line) => {
        if (line.startsWith("## ")) email = languageNamed(line) ?? language;
        const at = line.indexOf(" >> ");
        return at < 0 ? [] : [readCase(line.slice(0, at), line.slice(at + 4), email)];
      });
  });
}

/** Of a heading such as "## to a German email". */
const languageNamed = (heading: string) =>
  LANGUAGES.find((language) => heading.includes(`${LANGUAGE_NAMES[language]} email`));

function readCase(instruction: string, label: string, email: Language): ReplyCase {
  const parts = label.split(" ; ").map((part) => part.trim());
  const marked = (mark: string) =>
    parts.filter((part) => part.startsWith(mark) && part.length > 1).map((part) => part.slice(1));
  const quoted = parts.includes('"') ? "always" : parts.includes('?"') ? "maybe" : "never";
  return {
    instruction,
    email,
    language: LANGUAGES.find((language) => marked("=").includes(language)) ?? email,
    quoted,
    has: parts.filter((part) => !/^(?:\?"|"|[!=].+)$/.test(part)),
    hasNot: marked("!"),
  };
}

const EMAILS: Record<Language, string> = {
  en: "Hi Ada,\n\ncould we meet on Tuesday at 2pm to talk about the new contract? It would be in our office.\n\nBest wishes,\nBen",
  de: "Liebe Ada,\n\nkönnen wir uns am Dienstag um 14 Uhr treffen, um über den neuen Vertrag zu sprechen?\n\nViele Grüße\nBen",
  fr: "Bonjour Ada,\n\nest-ce que nous pouvons nous voir mardi à 14 h pour parler du nouveau contrat ?\n\nCordialement,\nBen",
  es: "Hola, Ada:\n\n¿podemos vernos el martes a las 14:00 para hablar del nuevo contrato?\n\nSaludos,\nBen",
};
const GREETINGS: Record<Language, string> = { en: "Hi Ben,", de: "Hallo Ben,", fr: "Bonjour Ben,", es: "Hola, Ben:" };

/** What is wrong with the draft; null if it is right. */
export function replyError({ instruction, email, language, quoted, has, hasNot }: ReplyCase): string | null {
  const { response, note } = writeReply({
    email: {
      content: EMAILS[email],
      from: { name: "Ben Ruiz", email: "ben@example.org" },
      reference: new Date("2026-11-15T10:00:00Z"),
      timeZone: "Europe/Berlin",
    },
    tone: "friendly",
    instructions: instruction,
    senderName: "Ada",
  });
  const [greeting = "", ...rest] = response.split("\n\n");
  const body = rest.slice(0, -1).join("\n\n");
  const text = body.toLowerCase();
  const isQuoted = body.replace(/^[“„«]\s?|\s?[”“»]$/g, "") === instruction && body !== instruction;
  const problems = [
    ...(greeting === GREETINGS[language] ? [] : [`begins with ${greeting}`]),
    ...(isQuoted && quoted === "never" ? ["is quoted"] : []),
    ...(!isQuoted && quoted === "always" ? ["is not quoted"] : []),
    ...(isQuoted && !note?.includes("quotes") ? ["does not say that it is quoted"] : []),
    ...(isQuoted ? [] : has.filter((words) => !text.includes(words.toLowerCase())).map((words) => `lacks “${words}”`)),
    ...(isQuoted ? [] : hasNot.filter((words) => hasWords(text, words)).map((words) => `has “${words}”`)),
  ];
  return problems.length === 0 ? null : `${instruction} → ${body.replaceAll("\n", "|")}: ${problems.join(", ")}`;
}

const hasWords = (text: string, words: string) =>
  new RegExp(`(?<!\\p{L})${words.toLowerCase()}(?!\\p{L})`, "u").test(text);
