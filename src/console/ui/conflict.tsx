import { Button } from "./button.tsx";

interface ConflictProps {
  /** What it is about, whose words are whose, and the names of the two ways out. */
  texts: { about: string; mine: string; theirs: string; keep: string; take: string };
  /** The fields that differ, as both sides have them. */
  fields: readonly { label: string; mine: unknown; theirs: unknown }[];
  onKeep(): void;
  onTake(): void;
}

/** The record was changed somewhere else meanwhile: what both sides say, field by field, and the two ways out. */
export function Conflict({ texts, fields, onKeep, onTake }: ConflictProps) {
  return (
    <section class="conflict" role="alert">
      <p>{texts.about}</p>
      <dl class="stack">
        {fields.map(({ label, mine, theirs }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span class="muted">{texts.mine}</span> {textOf(mine)}
            </dd>
            <dd>
              <span class="muted">{texts.theirs}</span> {textOf(theirs)}
            </dd>
          </div>
        ))}
      </dl>
      <div class="line">
        <Button tone="primary" onClick={onKeep}>
          {texts.keep}
        </Button>
        <Button onClick={onTake}>{texts.take}</Button>
      </div>
    </section>
  );
}

const LONGEST = 300;

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
