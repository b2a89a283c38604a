import { compose as m } from "../../../messages/compose.ts";
import { Button } from "../../../ui/button.tsx";
import { type Draft, type Fields, fieldsOf } from "./composition.ts";

interface ConflictProps {
  mine: Fields;
  theirs: Draft;
  onDecide(isMine: boolean): void;
}

const NAMES = ["to", "cc", "bcc", "subject", "body"] as const;
const LONGEST = 300;

/** The draft was changed in another window: what both say, and the two ways out. */
export function Conflict({ mine, theirs, onDecide }: ConflictProps) {
  const other = fieldsOf(theirs);
  return (
    <section class="conflict" role="alert">
      <p>{m.conflict}</p>
      <dl>
        {NAMES.filter((name) => mine[name] !== other[name]).map((name) => (
          <div key={name}>
            <dt>{m[name]}</dt>
            <dd>
              <span>{m.mine}</span> {shortened(mine[name])}
            </dd>
            <dd>
              <span>{m.theirs}</span> {shortened(other[name])}
            </dd>
          </div>
        ))}
      </dl>
      <div class="conflict-actions">
        <Button tone="primary" onClick={() => onDecide(true)}>
          {m.keepMine}
        </Button>
        <Button onClick={() => onDecide(false)}>{m.takeTheirs}</Button>
      </div>
    </section>
  );
}

function shortened(text: string): string {
  if (text === "") return "–";
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
