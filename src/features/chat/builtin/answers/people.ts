import { addressesOf } from "../../../tools/addresses.ts";
import { type Answer, lookUp, type Scene } from "../plan.ts";

const ADDRESS =
  /^(?:(?:so|and|what's|what is|do you (?:know|have)|tell me|give me|find|wie (?:ist|lautet)|quelle est|cuál es)\s+)+(?:the |die |l'|la )?(?:(?:e-?mail )?address (?:of|for) (?<of>\S.{0,60}?)|(?<whose>\S.{0,60}?)(?:'s?)? (?:e-?mail )?address|(?:e-?mail-?)?adresse (?:von|de) (?<von>\S.{0,60}?)|(?:dirección|adresse)(?: de correo)? de (?<de>\S.{0,60}?))\??$/i;

/** "What is Ann's address?" is answered from the emails that people have sent. */
export async function addressAnswer(scene: Scene, text: string): Promise<Answer | null> {
  const { of, whose, von, de } = ADDRESS.exec(text)?.groups ?? {};
  const name = (of ?? whose ?? von ?? de)?.replace(/'s?$/, "");
  if (!name || /^(?:my|his|her|their|your|its|the)$/i.test(name)) return null;
  const found = await lookUp<object>(scene, "find_mail", {
    query: `from:"${name.replaceAll('"', "")}"`,
    anywhere: true,
    limit: 1,
  });
  if ("text" in found) return found as Answer;
  const known = await addressesOf(scene.sight.ctx, name);
  return { text: known.length > 0 ? `${name}: ${known.join(", ")}` : `I do not know the address of ${name}.` };
}
