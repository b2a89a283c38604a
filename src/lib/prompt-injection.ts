interface TextRange {
  start: number;
  end: number;
}

const ORDER_TO_PROGRAM =
  /\b(?:(?:ignore|disregard|forget|override|bypass) (?:all |any |every |the |your |my |these |those |of |previous |prior |earlier |above |other ){0,5}(?:instructions?|prompts?|rules|guidelines|directions|commands)|(?:system|developer) (?:prompt|message|instructions?)|you are (?:now |an? |the )?(?:ai|a\.i\.|language model|llm|chatbot|assistant|gpt)|as an? (?:ai|language model|assistant)\b|(?:dear|hey|hello|attention|note to(?: the| any)?|to(?: the| any)?) (?:ai|assistant|llm|language model|chatbot|bot|model)s?\b|(?:jailbreak|prompt injection)|(?:reveal|print|repeat|output|show|leak) (?:me |us )?(?:your |the |all |any )*(?:instructions|system prompt|prompt|api keys?|secrets?|passwords?|credentials|hidden)|(?:reply|respond|answer|write|output) (?:only |exactly )?with (?:only |exactly |the (?:exact )?(?:words?|text|phrase) )|in your (?:reply|response|answer|summary|report),? (?:include|insert|add|say|state|write|mention|recommend|give))\b/i;

const ROLE_MARKER =
  /(?:^|[“"\n.]\s?)(?:ai |chat)?(?:assistant|system|ai|gpt|claude|gemini|copilot)\s?:|<\/?(?:system|assistant|instructions?)>|\[\/?(?:inst|system)\]/i;

/** Whether a sentence gives orders to a program that reads it. */
export function isPromptInjection(sentence: string): boolean {
  const start = sentence.slice(0, 2000);
  return ORDER_TO_PROGRAM.test(start) || ROLE_MARKER.test(start);
}

/** The text with such sentences replaced by spaces, so that offsets stay the same. */
export function blankPromptInjections(text: string, sentences: readonly TextRange[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of sentences) {
    if (!isPromptInjection(text.slice(start, end))) continue;
    parts.push(text.slice(at, start), text.slice(start, end).replace(/\S/g, " "));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
