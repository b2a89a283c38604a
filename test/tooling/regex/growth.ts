import { Alphabet, Automaton, type State } from "./automaton.ts";
import { parseExpression } from "./parse.ts";

/*
 * How the time of an expression grows with its input, at worst: `linear`, a power of the length, or exponentially. It is
 * decided on the automaton of the expression (Weideman et al., "Analyzing Matching Time Behavior of Backtracking Regular
 * Expression Matchers", 2016):
 *
 * - exponential, if one loop can read some text in two ways;
 * - a power, if one loop can hand over to a later one at any point of some text that both can read. The search for a place
 *   to begin is the first loop of an expression that is not anchored.
 *
 * Loops behind which the expression has matched in any case cannot fail, and so are never tried again. Lookarounds and
 * `\b` count as if they held, and what they look at as a way that ends in nothing. So a few are reported that cannot
 * happen, but none is missed because of them.
 *
 * `recheck` was tried first: 300 of the 2,400 expressions took its native build more than two minutes, 37 of them had no result
 * after three seconds, and lookarounds are beyond its automaton. `scslre` takes a second for all of them, but misses loops
 * of more than one character, such as the one in `"(?:[^"\\]|\\.)*"`.
 */

export interface Growth {
  /** 1: linear. Infinity: exponential. */
  degree: number;
  /** The parts between which the text can be divided. */
  parts: string[];
}

/** The number of the component of each state (Tarjan). Later components have smaller numbers. */
function componentsOf(edges: readonly ReadonlyMap<number, number>[]): number[] {
  const found: number[] = new Array(edges.length).fill(-1);
  const order: number[] = new Array(edges.length).fill(-1);
  const low: number[] = new Array(edges.length).fill(0);
  const stack: number[] = [];
  let count = 0;
  let components = 0;
  const visit = (state: number): void => {
    order[state] = low[state] = count++;
    stack.push(state);
    for (const next of edges[state]?.keys() ?? []) {
      if (order[next] === -1) visit(next);
      if (found[next] === -1) low[state] = Math.min(low[state] ?? 0, low[next] ?? 0);
    }
    if (low[state] !== order[state]) return;
    for (let member = -1; member !== state; ) {
      member = stack.pop() ?? state;
      found[member] = components;
    }
    components += 1;
  };
  for (let state = 0; state < edges.length; state++) if (order[state] === -1) visit(state);
  return found;
}

export function growthOf(source: string, flags: string): Growth {
  const tree = parseExpression(source, flags);
  const alphabet = new Alphabet(tree, flags);
  const { edges, states: automaton, sure } = new Automaton(tree, alphabet, !flags.includes("y"));
  const reads = alphabet.reads(automaton);
  const component = componentsOf(edges);
  const loops = new Map<number, number[]>();
  for (const [state, next] of edges.entries()) {
    const id = component[state] ?? -1;
    if ([...next.keys()].some((each) => component[each] === id)) loops.set(id, [...(loops.get(id) ?? []), state]);
  }
  const both = (a: number, b: number) => ((reads[a] ?? 0n) & (reads[b] ?? 0n)) !== 0n;
  const next = (state: number) => [...(edges[state]?.keys() ?? [])];

  for (const states of loops.values()) {
    const inside = new Set(states);
    const steps = (state: number) => next(state).filter((each) => inside.has(each));
    const isTwice = states.some((state) =>
      steps(state).some((each) => (edges[state]?.get(each) ?? 0) > 1 && reads[each]),
    );
    if (isTwice || isReadInTwoWays(states, steps, both))
      return { degree: Infinity, parts: [describe(states, automaton)] };
  }

  const ids = [...loops.keys()].sort((a, b) => b - a);
  const leadsTo = loopsAhead(edges, component, ids);
  const longest = new Map<number, { degree: number; parts: string[] }>();
  for (const id of [...ids].reverse()) {
    const from = loops.get(id) ?? [];
    let best = { degree: 1, parts: [describe(from, automaton)] };
    for (const other of ids) {
      const to = loops.get(other) ?? [];
      const after = longest.get(other);
      if (other === id || !after || !leadsTo(from[0] ?? 0, other)) continue;
      const canFail = after.degree > 1 || !to.some((state) => sure.has(state));
      if (
        !canFail ||
        after.degree + 1 <= best.degree ||
        !handsOver(from, to, { next, reads, leads: (state) => leadsTo(state, other) })
      )
        continue;
      best = { degree: after.degree + 1, parts: [describe(from, automaton), ...after.parts] };
    }
    longest.set(id, best);
  }
  return [...longest.values()].reduce((worst, each) => (each.degree > worst.degree ? each : worst), {
    degree: 1,
    parts: [],
  });
}

function describe(loop: readonly number[], states: readonly State[]): string {
  const sources = loop.flatMap((state) => states[state]?.source ?? []);
  return loop.includes(0) ? "the search for a beginning" : [...new Set(sources)].slice(0, 12).join("");
}

/** Whether a way leads from a state to a loop. Asked of components, whose numbers only fall along a way. */
function loopsAhead(
  edges: readonly ReadonlyMap<number, number>[],
  component: readonly number[],
  loops: readonly number[],
): (state: number, loop: number) => boolean {
  const bits = new Map(loops.map((loop, index) => [loop, 1n << BigInt(index)]));
  const ahead: bigint[] = [];
  const states = [...edges.keys()].sort((a, b) => (component[a] ?? 0) - (component[b] ?? 0));
  for (const state of states) {
    const own = component[state] ?? 0;
    for (const each of edges[state]?.keys() ?? []) {
      const to = component[each] ?? 0;
      ahead[own] = (ahead[own] ?? 0n) | (bits.get(to) ?? 0n) | (ahead[to] ?? 0n);
    }
  }
  return (state, loop) => ((ahead[component[state] ?? 0] ?? 0n) & (bits.get(loop) ?? 0n)) !== 0n;
}

/** Whether some text leads from a state back to it in two ways. */
function isReadInTwoWays(
  states: readonly number[],
  steps: (state: number) => number[],
  both: (a: number, b: number) => boolean,
): boolean {
  const key = (a: number, b: number) => a * 100_000 + b;
  const graph = new Map<number, number[]>();
  const open = states.map((state) => [state, state] as const);
  for (const pair of open) {
    const [a, b] = pair;
    if (graph.has(key(a, b))) continue;
    const following = steps(a).flatMap((x) => steps(b).flatMap((y) => (both(x, y) ? [[x, y] as const] : [])));
    graph.set(
      key(a, b),
      following.map(([x, y]) => key(x, y)),
    );
    for (const each of following) if (!graph.has(key(...each))) open.push(each);
  }
  // Backwards from the diagonal: a pair off it that leads back to it, and is reached from it.
  const before = new Map<number, number[]>();
  for (const [from, list] of graph) {
    for (const to of list) {
      const known = before.get(to);
      if (known) known.push(from);
      else before.set(to, [from]);
    }
  }
  const back = new Set(states.map((state) => key(state, state)));
  for (const pair of back) for (const each of before.get(pair) ?? []) back.add(each);
  return [...back].some((pair) => Math.floor(pair / 100_000) !== pair % 100_000);
}

interface Graph {
  next: (state: number) => number[];
  reads: readonly bigint[];
  /** Whether a way leads from a state to the later loop. */
  leads: (state: number) => boolean;
}

/** Whether some text leads from p to p, from p to q, and from q to q, with p in one loop and q in the other. */
function handsOver(from: readonly number[], to: readonly number[], { next, reads, leads: isBefore }: Graph): boolean {
  const [isFrom, isTo] = [new Set(from), new Set(to)];
  const read = (state: number) => reads[state] ?? 0n;
  const inFrom = new Map(from.map((state) => [state, next(state).filter((each) => isFrom.has(each))]));
  const inTo = new Map(to.map((state) => [state, next(state).filter((each) => isTo.has(each))]));
  const between = (state: number) => next(state).filter((each) => isTo.has(each) || isBefore(each));
  const ways = new Map<number, number[]>();
  const leading = (state: number) => {
    const known = ways.get(state) ?? between(state);
    ways.set(state, known);
    return known;
  };
  const leads = (p: number, q: number): boolean => {
    const seen = new Set<number>();
    const open: [number, number, number][] = [[p, p, q]];
    for (let triple = open.pop(); triple; triple = open.pop()) {
      const [x, y, z] = triple;
      for (const x2 of inFrom.get(x) ?? []) {
        for (const z2 of inTo.get(z) ?? []) {
          const both = read(x2) & read(z2);
          if (both === 0n) continue;
          for (const y2 of leading(y)) {
            if ((both & read(y2)) === 0n) continue;
            if (x2 === p && y2 === q && z2 === q) return true;
            const id = (x2 * 10_000 + y2) * 10_000 + z2;
            if (seen.has(id)) continue;
            seen.add(id);
            open.push([x2, y2, z2]);
          }
        }
      }
    }
    return false;
  };
  // The last character of the text is read by both.
  return from.some((p) => to.some((q) => (read(p) & read(q)) !== 0n && leads(p, q)));
}
