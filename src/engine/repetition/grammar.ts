import type { Kind, Lexeme } from "./lexicon.ts";
import { between, type Frequency, type Piece, type Rule, ruleOf, times, YEARLY } from "./rule.ts";

export interface FoundRule {
  rule: Rule;
  /** The lexemes that say it: from, to (exclusive), without the words between that say something else. */
  spans: { from: number; to: number }[];
  /** Whether the evening or the afternoon is said: "every evening at 7". */
  part: "am" | "pm" | null;
  /** "the next 5 mondays" */
  occurrences: number | null;
}

/** What is known of the text besides its words. */
interface Surroundings {
  /** Whether a lexeme belongs to a phrase of another kind, such as a time. */
  isOther?: (index: number) => boolean;
  /** Whether the text says a day that is no weekday: "tomorrow". */
  saysDay?: boolean;
  /** Whether it says until when or how many times, so that a weekday means each one. */
  isBounded?: boolean;
}

/** Reads the first repetition in the lexemes. */
export function findRule(lexemes: readonly Lexeme[], surroundings: Surroundings = {}): FoundRule | null {
  const grammar = new Grammar(lexemes, surroundings);
  for (let at = 0; at < lexemes.length; at += 1) {
    const found = grammar.ruleAt(at);
    if (found) return found;
  }
  return null;
}

class Grammar {
  private readonly lexemes: readonly Lexeme[];
  private readonly isOther: (index: number) => boolean;
  private readonly saysDay: boolean;
  private readonly isBounded: boolean;

  constructor(lexemes: readonly Lexeme[], { isOther = () => false, saysDay = false, isBounded = false }: Surroundings) {
    this.lexemes = lexemes;
    this.isOther = isOther;
    this.saysDay = saysDay;
    this.isBounded = isBounded;
  }

  /** All phrases from here on that belong together. */
  ruleAt(at: number): FoundRule | null {
    if (this.isOther(at)) return null;
    const pieces: Piece[] = [];
    const spans: FoundRule["spans"] = [];
    let next = at;
    for (;;) {
      const from = pieces.length === 0 ? next : this.pastOthers(next);
      const start = this.past(from, "filler", "and", "of");
      const piece = (start === from ? null : this.pieceAt(start, pieces)) ?? this.pieceAt(from, pieces);
      if (!piece || pieces.length === 4) break;
      pieces.push(piece);
      spans.push({ from: pieces.length === 1 ? at : from, to: piece.end });
      next = piece.end;
    }
    if (!pieces.some(({ repeats }) => repeats)) return null;
    const rule = ruleOf(pieces);
    if (!rule || this.isName(at)) return null;
    const occurrences = pieces.find((piece) => piece.occurrences)?.occurrences ?? null;
    return { rule, spans, part: pieces.find(({ part }) => part)?.part ?? null, occurrences };
  }

  /** "read Every Day", "lire Tous les matins": a capital behind a small letter begins the name of something. */
  private isName(at: number): boolean {
    const [before, first] = [this.lexemes[at - 1]?.token, this.lexemes[at]?.token];
    const isSmall = before?.kind === "word" && /^\p{Ll}/u.test(before.text);
    return isSmall && this.is(at, "every", "adverb", "adjective") && /^\p{Lu}/u.test(first?.text ?? "");
  }

  private pieceAt(at: number, before: readonly Piece[]): Piece | null {
    return (
      this.everyAt(at) ??
      this.adverbAt(at, before) ??
      this.onceAt(at) ??
      this.countedAt(at) ??
      this.monthDaysAt(at, before) ??
      this.dateAt(at) ??
      this.alternateAt(at) ??
      this.nextAt(at) ??
      this.weekdaysAt(at, before) ??
      this.partAt(at, before)
    );
  }

  /** "every 2 weeks", "jeden zweiten Freitag", "chaque 15 du mois", "cada enero" */
  private everyAt(at: number): Piece | null {
    if (!this.is(at, "every")) return null;
    const start = this.past(at + 1, "filler");
    return (
      this.countedAt(start, true) ??
      this.monthDaysAt(start, [], true) ??
      this.dateAt(start, true) ??
      this.intervalAt(start) ??
      this.frequencyAt(start, 1)
    );
  }

  /** "2 weeks", "other friday" */
  private intervalAt(at: number): Piece | null {
    const count = this.is(at, "other") ? 2 : (this.numberOf(at, "number") ?? this.numberOf(at, "ordinal"));
    if (count === null || count < 1 || count > 99) return null;
    const isOrdinal = this.is(at, "ordinal") && !this.is(at, "other");
    const found = this.frequencyAt(at + 1, count);
    // "every third friday" is neither every three weeks nor the third of a month.
    return isOrdinal && count > 1 && found?.weekdays ? null : found;
  }

  /** A unit or weekdays, behind "every" or "every two". */
  private frequencyAt(at: number, count: number): Piece | null {
    const weekdays = this.weekdayList(at);
    if (weekdays) return { ...weekdays, repeats: true, frequency: { unit: "week", count } };
    const unit = this.valueOf(at, "unit");
    const part = this.valueOf(at, "part");
    if (part)
      return { end: at + 1, repeats: true, frequency: { unit: "day", count }, part: part === "am" ? "am" : "pm" };
    if (!unit) return null;
    // "every 2 business days" says more than a rule can.
    if (unit === "weekday" && count > 1) return null;
    return { end: at + 1, repeats: true, frequency: times(unit, count) };
  }

  private adverbAt(at: number, before: readonly Piece[]): Piece | null {
    const unit = this.valueOf(at, "adverb") ?? this.valueOf(at, "adjective") ?? this.valueOf(at, "epithet");
    if (!unit || before.some(({ frequency }) => frequency)) return null;
    const piece = { end: at + 1, repeats: true, frequency: times(unit, 1) };
    // "mensuel le 3"
    if (this.is(at, "epithet")) return this.pieceAt(this.past(at + 1, "filler"), [piece]) && piece;
    if (!this.is(at, "adjective")) return piece;
    // "the weekly report" is a name, and so is "weekly report tomorrow"; "weekly report fri" is a report each friday.
    const next = this.lexemes[at + 1];
    const isBeforeNoun = next?.token.kind === "word" && next.meanings.length === 0 && !this.isOther(at + 1);
    return isBeforeNoun && (at > 0 || this.saysDay) ? null : piece;
  }

  /** "once a month", "einmal pro Woche" */
  private onceAt(at: number): Piece | null {
    const unit = this.valueOf(at + 1, "unit");
    const often = Number(this.valueOf(at, "once") ?? 0);
    return unit && often > 0 ? { end: at + 2, repeats: true, frequency: times(unit, 1), often } : null;
  }

  /** "first monday of the month", "letzter Tag jedes Quartals", "el último viernes de cada mes" */
  private countedAt(at: number, isEvery = false): Piece | null {
    const edge = this.valueOf(at, "edge");
    if (edge) {
      const period = this.periodAt(at + 1);
      return period?.isEvery
        ? { end: period.end, repeats: true, frequency: period.unit, monthDays: [Number(edge)] }
        : null;
    }
    const counts: number[] = [];
    let next = at;
    for (let nth = this.nthAt(next); nth !== null; nth = this.nthAt(next)) {
      const isFromEnd = nth > 0 && this.is(next + 1, "fromEnd");
      counts.push(isFromEnd ? -nth : nth);
      next = this.past(next + (isFromEnd ? 2 : 1), "and", "filler");
    }
    // "the first and third monday", and in Spanish and French also "viernes último".
    if (counts.length === 0) return null;
    const day = this.valueOf(next, "weekday");
    const unit = this.valueOf(next, "unit");
    if (!day && unit !== "day" && unit !== "weekday") return null;
    const end = next + 1;
    const named = this.monthList(this.past(end, "of", "filler"));
    if (named && named.from > end) {
      const piece = {
        end: named.end,
        repeats: isEvery || named.months.length > 1,
        frequency: YEARLY,
        months: named.months,
      };
      if (!piece.repeats && !this.saysYearly(named.end)) return null;
      return day
        ? { ...piece, counted: counts.map((nth) => ({ nth, day })) }
        : unit === "day"
          ? { ...piece, monthDays: counts }
          : null;
    }
    const period = this.periodAt(end);
    if (!period && (!isEvery || unit)) return null;
    // "every second friday": every other one, unless of a month.
    if (!period && counts.some((count) => count > 1)) return null;
    const repeats = isEvery || period !== null;
    const months = period?.unit ?? { unit: "month", count: 1 };
    if (day) {
      if (months.unit !== "month" || months.count !== 1) return null;
      const counted = counts.map((nth) => ({ nth, day }));
      return { end: period?.end ?? end, repeats, frequency: months, counted };
    }
    if (unit === "weekday") {
      if (months.unit !== "month" || months.count !== 1) return null;
      return { end: period?.end ?? end, repeats, frequency: months, counted: counts.map((nth) => ({ nth, day: "*" })) };
    }
    return { end: period?.end ?? end, repeats, frequency: months, monthDays: counts };
  }

  /** "of may", "mar/jun/sep/dec" */
  private monthList(at: number): { from: number; end: number; months: number[] } | null {
    const months: number[] = [];
    let end = at;
    for (let next = at; ; next = this.past(end, "and", "filler")) {
      const month = Number(this.valueOf(next, "month") ?? 0);
      if (!month || (months.length > 0 && next === end)) break;
      months.push(month);
      end = next + 1;
    }
    return months.length > 0 ? { from: at, end, months } : null;
  }

  private saysYearly(at: number): boolean {
    const next = this.lexemes.findIndex((_, index) => index >= at && this.is(index, "every", "adverb", "adjective"));
    const unit = this.valueOf(next, "adverb") ?? this.valueOf(next, "adjective") ?? this.valueOf(next + 1, "unit");
    return unit === "year";
  }

  /** "of every month", "im Monat", "du trimestre" */
  private periodAt(at: number): { end: number; isEvery: boolean; unit: Frequency } | null {
    const start = this.past(at, "of", "filler");
    const isEvery = this.is(start, "every");
    const next = this.past(isEvery ? start + 1 : start, "filler");
    const unit = this.valueOf(next, "unit");
    const isLinked = start > at || isEvery;
    const number = isEvery ? this.numberOf(next, "number") : null;
    if (number !== null && this.valueOf(next + 1, "unit")?.startsWith("month")) {
      return { end: next + 2, isEvery, unit: { unit: "month", count: number } };
    }
    return isLinked && unit && /^(?:month|year)/.test(unit) ? { end: next + 1, isEvery, unit: times(unit, 1) } : null;
  }

  /** "1st and 15th of every month", "am 3. jedes Monats"; without a month behind "every" or behind "monthly". */
  private monthDaysAt(at: number, before: readonly Piece[], isEvery = false): Piece | null {
    const days: number[] = [];
    let end = at;
    let isOrdinal = false;
    for (let next = at; ; next = this.past(end, "and", "filler")) {
      const ordinal = this.numberOf(next, "ordinal");
      const day = ordinal ?? this.numberOf(next, "number");
      if (day === null || day > 31 || day === 0 || this.isOther(next)) break;
      if (days.length > 0 && next === end) break;
      isOrdinal ||= ordinal !== null;
      days.push(day);
      end = next + 1;
    }
    if (days.length === 0) return null;
    const unit = this.valueOf(end, "unit");
    const period = unit ? null : this.periodAt(end);
    if (unit && !this.is(end - 1, "ordinal")) return null;
    // "3 may": a date; "2 fridays"
    if (this.is(end, "month", "weekday", "unit", "times")) return null;
    const isMonthly = before.some(({ frequency }) => frequency?.unit === "month");
    const isDetail = (isMonthly && (isOrdinal || this.is(at - 1, "filler"))) || (isOrdinal && this.saysMonthly(end));
    const isMonth = period?.unit.unit === "month";
    if (!isMonth && !isDetail && !(isEvery && isOrdinal)) return null;
    const isDeadline = this.is(at - 1, "deadline") || this.is(at - 2, "deadline");
    const repeats = isEvery || (period?.isEvery ?? false) || (isMonth && (days.length > 1 || !isDeadline));
    return {
      end: period?.end ?? end,
      repeats,
      ...(period && { frequency: period.unit }),
      ...(isEvery && !period && { frequency: { unit: "month", count: 1 } }),
      monthDays: days,
    };
  }

  /** "the 20th monthly", "am 3. monatlich" */
  private saysMonthly(at: number): boolean {
    const unit = this.valueOf(at, "adverb") ?? this.valueOf(at, "adjective");
    return unit?.startsWith("month") ?? false;
  }

  /** "3 may", "may 3rd", "am 3. Mai", "le 3 mai", "el 3 de mayo", each with "every year" beside it. */
  private dateAt(at: number, isEvery = false): Piece | null {
    const dayAt = (index: number) => this.numberOf(index, "ordinal") ?? this.numberOf(index, "number");
    const first = dayAt(at);
    const monthAt = first === null ? at : this.past(at + 1, "of", "filler");
    const month = Number(this.valueOf(monthAt, "month") ?? 0);
    const after = this.past(monthAt + 1, "filler");
    const day = first ?? dayAt(after);
    if (!month || day === null || day < 1 || day > 31) return null;
    const list = first === null ? null : this.monthList(monthAt);
    const months = list?.months ?? [month];
    const end = list?.end ?? after + 1;
    const repeats = isEvery || months.length > 1;
    return { end, repeats, ...(repeats && { frequency: YEARLY }), date: { months, day } };
  }

  /** "un lundi sur deux", "une semaine sur deux" */
  private alternateAt(at: number): Piece | null {
    const start = this.past(at, "number", "filler");
    const alternate = start > at || this.is(start, "habit") ? this.valueOf(start + 1, "alternate") : undefined;
    if (!alternate) return null;
    const count = alternate === "2" ? 2 : this.numberOf(start + 2, "number");
    const found = count !== null && count > 1 ? this.frequencyAt(start, count) : null;
    return found && { ...found, end: start + (alternate === "2" ? 2 : 3) };
  }

  /** "next 5 tuesdays", "alternate days" */
  private nextAt(at: number): Piece | null {
    if (this.lexemes[at]?.token.lower.startsWith("altern"))
      return this.is(at, "other") ? this.frequencyAt(at + 1, 2) : null;
    const count = this.is(at, "next") ? this.numberOf(at + 1, "number") : null;
    const days = count !== null && count > 1 ? this.weekdayList(at + 2) : null;
    if (!days || count === null) return null;
    return { end: days.end, repeats: true, weekdays: days.weekdays, occurrences: count * days.weekdays.length };
  }

  private weekdaysAt(at: number, before: readonly Piece[]): Piece | null {
    if (this.is(at, "habit") && !this.is(at, "weekday")) {
      const value = this.valueOf(at, "habit") ?? "";
      if (value.includes("+")) return { end: at + 1, repeats: true, weekdays: value.split("+") };
      return { end: at + 1, repeats: true, frequency: times(value, 1) };
    }
    const list = this.weekdayList(at);
    if (!list) return null;
    // "montag, 23. november": a date.
    if (this.is(list.end, "number", "ordinal") && this.isDated(list.end)) return null;
    const isHabit = this.is(at, "habit") || list.isHabit;
    const repeats =
      isHabit || this.isBounded || list.weekdays.length > 2 || (list.weekdays.length === 2 && list.isShort);
    const isDetail = before.some(({ frequency }) => frequency?.unit === "week" || frequency?.unit === "day");
    if (!repeats && !isDetail && list.weekdays.length > 1 && before.length === 0 && !this.everyBehind(list.end))
      return null;
    return { end: list.end, repeats, weekdays: list.weekdays };
  }

  private isDated(at: number): boolean {
    return this.is(this.past(at + 1, "of", "filler"), "month");
  }

  private everyBehind(at: number): boolean {
    return this.is(this.past(at, "filler"), "every", "adverb");
  }

  /** "monday and thursday", "mon/wed/fri", "monday to friday" */
  private weekdayList(at: number): { end: number; weekdays: string[]; isHabit: boolean; isShort: boolean } | null {
    const first = this.isOther(at) ? undefined : this.valueOf(at, "weekday");
    if (!first) return null;
    const weekdays = [first];
    let isHabit = this.is(at, "habit");
    let end = at + 1;
    let isShort = true;
    for (;;) {
      const isRange = this.is(end, "to");
      const next = this.past(end, "and", "to", "filler");
      const day = this.isOther(next) ? undefined : this.valueOf(next, "weekday");
      if (!day) break;
      const plain = this.lexemes[next - 1]?.token.lower ?? "";
      if (next > end && /\p{L}/u.test(plain)) isShort = false;
      isHabit ||= this.is(next, "habit");
      weekdays.push(...(isRange ? between(weekdays.at(-1) ?? first, day) : [day]));
      end = next + 1;
    }
    return { end, weekdays: [...new Set(weekdays)], isHabit, isShort: isShort && weekdays.length > 1 };
  }

  /** "every friday night" */
  private partAt(at: number, before: readonly Piece[]): Piece | null {
    const part = before.length > 0 && !this.isOther(at) ? this.valueOf(at, "part") : undefined;
    return part ? { end: at + 1, repeats: false, part: part === "am" ? "am" : "pm" } : null;
  }

  /** "last", "2nd": as a place among the days of a month. */
  private nthAt(at: number): number | null {
    const nth = this.numberOf(at, "ordinal");
    return nth !== null && nth !== 0 && nth <= 5 ? nth : null;
  }

  /** The index behind words of these kinds. */
  private past(at: number, ...kinds: readonly Kind[]): number {
    let next = at;
    // "día" stands before a number, and is a unit as well: "el último día".
    const isUnit = (index: number) => this.is(index, "unit") && !this.is(index + 1, "number", "ordinal");
    while (next < at + 3 && this.is(next, ...kinds) && !this.isOther(next) && !isUnit(next)) next += 1;
    return next;
  }

  private pastOthers(at: number): number {
    let next = at;
    while (next < this.lexemes.length && this.isOther(next)) next += 1;
    return next;
  }

  private is(at: number, ...kinds: readonly Kind[]): boolean {
    return this.lexemes[at]?.meanings.some(({ kind }) => kinds.includes(kind)) ?? false;
  }

  private valueOf(at: number, kind: Kind): string | undefined {
    return this.lexemes[at]?.meanings.find((meaning) => meaning.kind === kind)?.value;
  }

  private numberOf(at: number, kind: "number" | "ordinal"): number | null {
    const value = this.valueOf(at, kind);
    return value === undefined ? null : Number(value);
  }
}
