import type { Language } from "../../lib/languages.ts";

export const REPLY_TONES = ["formal", "friendly", "brief"] as const;
export type ReplyTone = (typeof REPLY_TONES)[number];

/** What needs no words of the person. */
export type PlainAnswer = "accept" | "decline" | "thank" | "apologise" | "congratulate";

/** How letters are written in a language. */
interface Letters {
  /** To nobody by name, and to a person; formal ones have the whole name. */
  greetings: readonly [unnamed: string, formal: string, friendly: string, brief: string];
  closings: Record<ReplyTone, string>;
  received: string;
  answers: Record<PlainAnswer, string>;
  quotes: readonly [string, string];
}

const answers = (accept: string, decline: string, thank: string, apologise: string, congratulate: string) => ({
  ...{ accept, decline, thank, apologise, congratulate },
});
const closings = (formal: string, friendly: string, brief: string) => ({ formal, friendly, brief });

export const LETTERS: Record<Language, Letters> = {
  en: {
    greetings: ["Hello,", "Dear …,", "Hi …,", "Hello …,"],
    closings: closings("Kind regards", "Best wishes", "Best"),
    received: "Thank you for your message.",
    answers: answers(
      ...([
        "{I am pleased to accept|Yes, that works for me}.",
        "{I regret that|I am afraid} I have to decline.",
      ] as const),
      ...(["{Thank you|Thanks}.", "{Please accept my apologies|I am sorry}.", "Congratulations!"] as const),
    ),
    quotes: ["“", "”"],
  },
  de: {
    greetings: ["Guten Tag,", "Guten Tag …,", "Hallo …,", "Hallo …,"],
    closings: closings("Mit freundlichen Grüßen", "Viele Grüße", "Viele Grüße"),
    received: "vielen Dank für die Nachricht.",
    answers: answers(
      ...(["Ja, das passt mir.", "Leider muss ich absagen.", "Vielen Dank."] as const),
      ...(["Das tut mir leid.", "Herzlichen Glückwunsch!"] as const),
    ),
    quotes: ["„", "“"],
  },
  fr: {
    greetings: ["Bonjour,", "Bonjour …,", "Bonjour …,", "Bonjour …,"],
    closings: closings("Cordialement", "Amicalement", "Cordialement"),
    received: "Merci pour votre message.",
    answers: answers(
      ...(["Oui, cela me convient.", "Malheureusement, je dois décliner.", "Merci beaucoup."] as const),
      ...(["Toutes mes excuses.", "Félicitations !"] as const),
    ),
    quotes: ["« ", " »"],
  },
  es: {
    greetings: ["Hola:", "Hola, …:", "Hola, …:", "Hola, …:"],
    closings: closings("Un cordial saludo", "Saludos", "Saludos"),
    received: "Gracias por el mensaje.",
    answers: answers(
      "Sí, me viene bien.",
      "Lo siento, pero tengo que decir que no.",
      "Muchas gracias.",
      "Lo siento.",
      "¡Enhorabuena!",
    ),
    quotes: ["«", "»"],
  },
};

/** In a sentence of this engine, `{a|b}` is for formal letters and others. */
export const toned = (sentence: string, tone: ReplyTone) =>
  sentence.replace(/\{([^{|}]{0,60})\|([^{|}]{0,60})\}/g, (_, formal: string, other: string) =>
    tone === "formal" ? formal : other,
  );
