const TOPIC =
  /^(?:and |so |but |what about |as for |now )*(?!(?:yes|no|ok|okay|right|sorry|thanks|great|well|oh|wait|hey|hi|hello|and|so|then|what|when|who|how|why|where|really|please|today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|i|we|you|he|she|they|it|that|this|actually|cool|nice|fine|good|perfect|sure|done|maybe|remind|tell|ask)\b)(\p{L}[\p{L}-]*(?: \p{Lu}[\p{L}-]*)?)(?:\?|,| –| -) {1,9}(?=.*\b(?:he|she|they|him|her|his|hers|their|theirs)\b)(?<rest>(?:what|when|did|does|has|is|who|how|which|where|can|could|tell|any)\b.+)$/iu;

/** "And Price? What's his about?": whom the question is about is said first. */
export function withTopic(said: string): string {
  const wrote =
    /^(\p{Lu}\p{L}+) (?:has )?(?:wrote|written|emailed|mailed|replied|answered)\b[^.?!]*[.!] +([^ \n].*\?)$/u.exec(
      said,
    );
  const text = wrote ? `${wrote[1]}, ${wrote[2]}` : said;
  const found = TOPIC.exec(text);
  const [, name = ""] = found ?? [];
  const rest = found?.groups?.rest;
  if (!rest) return said;
  return rest
    .replace(/\b(?:his|hers|theirs)(?= (?:about|say|saying|on about)\b|[?.!]*$)/gi, `${name}'s email`)
    .replace(/\b(?:his|her|their)(?= \p{L})/giu, `${name}'s`)
    .replace(/\b(?:he|she|they|him|her|them)\b/gi, name);
}
