import { compose as m } from "../../../messages/compose.ts";
import { Conflict } from "../../../ui/conflict.tsx";
import { type Draft, type Fields, fieldsOf } from "./composition.ts";

const NAMES = ["to", "cc", "bcc", "subject", "body"] as const;
const TEXTS = { about: m.conflict, mine: m.mine, theirs: m.theirs, keep: m.keepMine, take: m.takeTheirs };

interface DraftConflictProps {
  mine: Fields;
  theirs: Draft;
  onDecide(isMine: boolean): void;
}

/** The draft was changed in another window. */
export function DraftConflict({ mine, theirs, onDecide }: DraftConflictProps) {
  const other = fieldsOf(theirs);
  const fields = NAMES.filter((name) => mine[name] !== other[name]).map((name) => ({
    label: m[name],
    mine: mine[name],
    theirs: other[name],
  }));
  return <Conflict texts={TEXTS} fields={fields} onKeep={() => onDecide(true)} onTake={() => onDecide(false)} />;
}
