import { zoneOfPlace } from "../../../engine/dates/places.ts";
import { longDate } from "../../../lib/spoken-time.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import { wordSet } from "../../../lib/words.ts";
import { timeStyleOf } from "../../people/speaking.ts";
import { wordsOf } from "../request/exact.ts";
import type { Request } from "../request/request.ts";
import type { Answer, Scene } from "./plan.ts";

const THANKS = wordSet(
  "thanks thank thx cheers ta danke dankeschön merci gracias great perfect lovely brilliant super awesome nice cool excellent wonderful parfait perfecto genial",
);
const HELLO = wordSet(
  "hello hi hey morning evening afternoon hallo moin guten bonjour salut bonsoir hola buenos buenas",
);
const BYE = wordSet("bye goodbye goodnight tschüss tschüs ciao au revoir adiós adios");

export const isCourtesy = (text: string) =>
  wordsOf(text).some((word) => THANKS.has(word) || HELLO.has(word) || BYE.has(word));

/** Greetings, thanks, feelings. They keep what the conversation is about. */
export function talk({ voice: { say } }: Scene, { text }: Request): Answer {
  const words = wordsOf(text);
  if (words.some((word) => BYE.has(word))) return { text: say.goodbye };
  if (words.some((word) => THANKS.has(word))) return { text: say.welcome };
  const isGreeting = words.some((word) => HELLO.has(word)) || /^how(?:'s| is| are)\b/i.test(text);
  return { text: isGreeting ? say.hello : say.noted };
}

const phrases = (text: string): ReadonlySet<string> => new Set(text.split(", "));
const TIME = phrases(
  "what time is it, what's the time, what is the time, whats the time, time, wie spät ist es, quelle heure est-il, qué hora es, que hora es",
);
const DATE = phrases(
  "what's the date, what is the date, what day is it, what's today's date, what is today's date, what day is it today, what date is it, welcher tag ist heute, quel jour sommes-nous, qué día es hoy, que dia es hoy",
);

const ZONE = /^(?:what|which|what's the) time ?zone (?:is )?(?:in |of )?(?<place>\S.{0,60}?)(?: in)?$/;
const nameOf = (place: string) => place.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());

const clockIn = (zone: string, now: Date) => new Date(toWall(zone, now.getTime())).toISOString().slice(11, 16);

/** The time, here or in a city, and the date, which need no records. */
export function clockAnswer({ sight: { ctx, timeZone }, voice: { say } }: Scene, text: string): Answer | null {
  const said = wordsOf(text)
    .filter((word) => word !== "now" && word !== "please")
    .join(" ");
  const wall = toWall(timeZone, ctx.now.getTime());
  if (TIME.has(said)) return { text: say.timeIs(clockIn(timeZone, ctx.now), timeZone, true) };
  const [asked = "", place = ""] = said.split(/ (?:in|à|en) /);
  const zone = TIME.has(asked) ? zoneOfPlace(place) : null;
  if (zone) {
    return { text: say.timeIs(clockIn(zone, ctx.now), nameOf(place), false) };
  }
  const there = ZONE.exec(said)?.groups?.place;
  const named = there ? zoneOfPlace(there) : null;
  if (there && named)
    return { text: `${nameOf(there)} is in ${named}. ${say.timeIs(clockIn(named, ctx.now), nameOf(there), false)}` };
  return DATE.has(said) ? { text: `Today is ${longDate(dateOf(wall), timeStyleOf(ctx))}.` } : null;
}
