import { Component, type ComponentType, type FunctionComponent, h } from "preact";
import { useRef } from "preact/hooks";

/** A component that is drawn again only when one of its properties is another one: for the rows of long lists. */
export function memo<P extends object>(Inner: FunctionComponent<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return differ(this.props, next) || differ(next, this.props);
    }

    render() {
      return h(Inner, this.props);
    }
  };
}

function differ<P extends object>(some: P, others: P): boolean {
  for (const name in some) if (name !== "children" && some[name] !== others[name]) return true;
  return false;
}

/** The same function at every drawing, which calls the latest one. */
export function useStable<Arguments extends unknown[], Result>(
  latest: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const current = useRef(latest);
  current.current = latest;
  const stable = useRef((...given: Arguments) => current.current(...given));
  return stable.current;
}
