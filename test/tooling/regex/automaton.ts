import { type Node, WORD } from "./parse.ts";

/** Repetitions up to this number are no loops: they take a longer time, but not one that grows. */
const MOST_REPETITIONS = 500;
/** Of a bounded repetition this many copies show what they can do with each other. */
const COPIES = 3;

type Before = Extract<Node, { kind: "before" }>;

/** A state at the edge of a part, and what has to hold between it and its neighbour. */
interface Edge {
  state: number;
  needs: readonly Before[];
}

interface Piece {
  first: readonly Edge[];
  last: readonly Edge[];
  /** Those of the last from which nothing more has to hold. */
  sure: readonly Edge[];
  isEmpty: boolean;
  isSurelyEmpty: boolean;
}

const NOTHING: Piece = { first: [], last: [], sure: [], isEmpty: true, isSurelyEmpty: true };
const CONDITION: Piece = { ...NOTHING, isSurelyEmpty: false };

/** A state reads characters of one kind: whether each of the tests of the expression holds for them. */
export interface State {
  source: string;
  kind: string;
}

export class Automaton {
  /** The first ones search for a place to begin. */
  readonly states: State[] = [];
  /** From state to state, and in how many ways. */
  readonly edges: Map<number, number>[] = [];
  readonly sure: Set<number>;
  private readonly alphabet: Alphabet;

  constructor(node: Node, alphabet: Alphabet, isSearching: boolean) {
    this.alphabet = alphabet;
    const search = this.atom(SEARCH);
    if (isSearching) this.link(search.last, search.first);
    const whole = this.piece(node);
    this.link(search.last, whole.first);
    this.sure = new Set(whole.sure.map(({ state }) => state));
  }

  private link(from: readonly Edge[], to: readonly Edge[]): void {
    for (const a of from) {
      for (const b of to) {
        if (![...a.needs, ...b.needs].every((need) => this.holds(need, a.state, b.state))) continue;
        const edges = this.edges[a.state];
        edges?.set(b.state, (edges.get(b.state) ?? 0) + 1);
      }
    }
  }

  private holds({ source, holds }: Before, before: number, after: number): boolean {
    const test = this.alphabet.tests.indexOf(source);
    const is = this.states[before]?.kind.charAt(test);
    return holds === "differs" ? is !== this.states[after]?.kind.charAt(test) : is === (holds === "is" ? "1" : "0");
  }

  private atom(source: string): Piece {
    const edges = this.alphabet.kindsOf(source).map((kind) => {
      this.edges.push(new Map());
      return { state: this.states.push({ source, kind }) - 1, needs: [] };
    });
    return { first: edges, last: edges, sure: edges, isEmpty: false, isSurelyEmpty: false };
  }

  private piece(node: Node): Piece {
    switch (node.kind) {
      case "atom":
        return this.atom(node.source);
      case "start":
        return this.atom("^");
      case "before":
        return this.sequence([node]);
      case "condition":
        return CONDITION;
      case "look":
        return { ...CONDITION, first: this.piece(node.body).first };
      case "choice": {
        const options = node.options.map((option) => this.sequence([option]));
        return {
          first: options.flatMap(({ first }) => first),
          last: options.flatMap(({ last }) => last),
          sure: options.flatMap(({ sure }) => sure),
          isEmpty: options.some(({ isEmpty }) => isEmpty),
          isSurelyEmpty: options.some(({ isSurelyEmpty }) => isSurelyEmpty),
        };
      }
      case "sequence":
        return this.sequence(node.items);
      case "repeat":
        return this.repeat(node);
    }
  }

  private sequence(items: readonly Node[]): Piece {
    let whole = NOTHING;
    /** What has to hold before that which comes next, if nothing comes before it. */
    const needs: Before[] = [];
    for (const item of items) {
      if (item.kind === "before") {
        if (whole.isEmpty) needs.push(item);
        const last = whole.last.map((edge) => ({ ...edge, needs: [...edge.needs, item] }));
        whole = { ...whole, last, sure: [], isSurelyEmpty: false };
      } else {
        const piece = this.piece(item);
        const atStart = piece.first.map((edge) => ({ ...edge, needs: [...edge.needs, ...needs] }));
        whole = this.joined(whole, piece, atStart);
      }
    }
    return whole;
  }

  private joined(whole: Piece, next: Piece, atStart: readonly Edge[] = next.first): Piece {
    this.link(whole.last, next.first);
    return {
      first: whole.isEmpty ? [...whole.first, ...atStart] : whole.first,
      last: next.isEmpty ? [...whole.last, ...next.last] : next.last,
      sure: next.isSurelyEmpty ? [...whole.sure, ...next.sure] : next.sure,
      isEmpty: whole.isEmpty && next.isEmpty,
      isSurelyEmpty: whole.isSurelyEmpty && next.isSurelyEmpty,
    };
  }

  private repeat({ body, min, max }: Extract<Node, { kind: "repeat" }>): Piece {
    const one = () => this.sequence([body]);
    const optional = (piece: Piece): Piece => ({ ...piece, isEmpty: true, isSurelyEmpty: true });
    const isLoop = max > MOST_REPETITIONS;
    let whole = NOTHING;
    const required = Math.min(min, COPIES) - (isLoop && min > 0 ? 1 : 0);
    for (let copy = 0; copy < required; copy++) whole = this.joined(whole, one());
    if (isLoop) {
      const loop = one();
      this.link(loop.last, loop.first);
      return this.joined(whole, min > 0 ? loop : optional(loop));
    }
    let tail = NOTHING;
    for (let copy = required; copy < Math.min(max, COPIES); copy++) tail = optional(this.joined(one(), tail));
    return this.joined(whole, tail);
  }
}

const SEARCH = "[^]";

/** Characters of every kind that expressions tell apart. */
const SAMPLE = [
  ...Array.from({ length: 127 }, (_, code) => String.fromCharCode(code)),
  ..."\u0085\u00a0«»²½àäßéñøžłçÄÉŠØıſKΩжШקعあ漢가’‘“”„–—…•·€£¥₹→✓☕️\u200b\u200d\u202e\u2028\u3000\ufeff\ufffd\u20e3",
  "\ud83d\ude00",
  "\ue000",
];

/** The characters that an expression tells apart. */
export class Alphabet {
  /** What expressions ask of the character before. */
  readonly tests: readonly string[];
  private readonly known = new Map<string, ReadonlyMap<string, readonly string[]>>();
  private readonly characters: readonly { char: string; kind: string }[];
  private readonly flags: string;

  constructor(node: Node, flags: string) {
    const [atoms, tests] = [new Set<string>(), new Set<string>()];
    collect(node, atoms, tests);
    this.tests = [...tests];
    this.flags = flags.replaceAll(/[gyd]/g, "");
    const literal = [...atoms].flatMap((source) => (source.length <= 2 ? [...source] : []));
    const asked = this.tests.map((source) => new RegExp(`^(?:${source})$`, source === WORD ? "" : this.flags));
    this.characters = [...new Set([...SAMPLE, ...literal])].map((char) => ({
      char,
      kind: asked.map((test) => (test.test(char) ? "1" : "0")).join(""),
    }));
  }

  /** The characters that it reads, by kind. Nothing reads the beginning of the text. */
  private readBy(source: string): ReadonlyMap<string, readonly string[]> {
    const known = this.known.get(source);
    if (known) return known;
    const test = new RegExp(`^(?:${source})$`, this.flags);
    const read = new Map<string, string[]>();
    for (const { char, kind } of this.characters) {
      if (source === "^" || !test.test(char)) continue;
      const list = read.get(kind);
      if (list) list.push(char);
      else read.set(kind, [char]);
    }
    if (source === "^") read.set("", []);
    this.known.set(source, read);
    return read;
  }

  kindsOf(source: string): string[] {
    return [...this.readBy(source).keys()];
  }

  /** For each state, which characters it reads: a bit for each group of characters that no state tells apart. */
  reads(states: readonly State[]): bigint[] {
    const groups = new Map<string, Set<number>>();
    const readers = new Map<string, number[]>();
    for (const [state, { source, kind }] of states.entries()) {
      for (const char of this.readBy(source).get(kind) ?? []) {
        const list = readers.get(char);
        if (list) list.push(state);
        else readers.set(char, [state]);
      }
    }
    for (const list of readers.values()) groups.set(list.join(), new Set(list));
    const reads = states.map(() => 0n);
    let bit = 1n;
    for (const group of groups.values()) {
      for (const state of group) reads[state] = (reads[state] ?? 0n) | bit;
      bit <<= 1n;
    }
    return reads;
  }
}

function collect(node: Node, atoms: Set<string>, tests: Set<string>): void {
  if (node.kind === "atom") atoms.add(node.source);
  else if (node.kind === "before") tests.add(node.source);
  else if (node.kind === "choice") for (const option of node.options) collect(option, atoms, tests);
  else if (node.kind === "sequence") for (const item of node.items) collect(item, atoms, tests);
  else if (node.kind === "repeat" || node.kind === "look") collect(node.body, atoms, tests);
}
