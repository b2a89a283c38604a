import { known } from "../../../lib/cast.ts";
import { emailSettings as m } from "../../../messages/settings-email.ts";
import { IconButton } from "../../../ui/button.tsx";
import { useProblem } from "../../../ui/field.tsx";
import type { Rule } from "./rule.ts";

export type Condition = Rule["conditions"][number];
type FieldName = Condition["field"];

export const NEW_CONDITION: Condition = { field: "from", op: "contains", value: "" };

const KB = 1000;
const TEXT_OPS = ["contains", "not_contains", "is", "is_not"] as const;

interface ConditionFieldsProps {
  number: number;
  condition: Condition;
  onChange(condition: Condition): void;
  onRemove?(): void;
}

/** A condition as three controls: what is compared, how, and with what. The second and third depend on the first. */
export function ConditionFields({ number, condition, onChange, onRemove }: ConditionFieldsProps) {
  const problem = useProblem(`conditions.${number - 1}`);
  const name = m.condition(number);
  const { ops, op } = opsOf(condition);
  return (
    <li class="condition">
      <select
        class="input"
        aria-label={name}
        value={condition.field}
        onChange={(event) => onChange(firstOf(known(event.currentTarget.value)))}
      >
        {Object.entries(m.fields).map(([field, text]) => (
          <option key={field} value={field}>
            {text}
          </option>
        ))}
      </select>
      {ops.length > 0 && (
        <select
          class="input"
          aria-label={`${name}: ${m.comparison}`}
          value={op}
          onChange={(event) => onChange(known({ ...condition, op: event.currentTarget.value }))}
        >
          {ops.map((each) => (
            <option key={each} value={each}>
              {m.ops[each]}
            </option>
          ))}
        </select>
      )}
      <ValueField name={`${name}: ${m.value}`} condition={condition} problem={problem} onChange={onChange} />
      {onRemove && <IconButton icon="close" label={m.removeCondition(number)} onClick={onRemove} />}
      {problem && <p class="field-problem">{problem}</p>}
    </li>
  );
}

interface ValueFieldProps {
  name: string;
  condition: Condition;
  problem: string | undefined;
  onChange(condition: Condition): void;
}

function ValueField({ name, condition, problem, onChange }: ValueFieldProps) {
  const invalid = problem ? { "aria-invalid": true as const } : {};
  const set = (value: string | number | boolean) => onChange(known({ ...condition, value }));
  const choices = choicesOf(condition.field);
  if (choices) {
    return (
      <select
        {...invalid}
        class="input condition-value"
        aria-label={name}
        value={String(condition.value)}
        onChange={({ currentTarget: { value } }) => set(condition.field === "hasAttachment" ? value === "true" : value)}
      >
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    );
  }
  const isSize = condition.field === "size";
  return (
    <input
      {...invalid}
      class="input condition-value"
      aria-label={name}
      type="text"
      inputMode={isSize ? "numeric" : "text"}
      maxLength={500}
      autocomplete="off"
      value={isSize ? String(Math.round(Number(condition.value) / KB)) : String(condition.value)}
      onInput={({ currentTarget: { value } }) => set(isSize ? Number(value.replace(/\D/g, "")) * KB : value)}
    />
  );
}

function choicesOf(field: FieldName): [string, string][] | null {
  if (field === "kind") return Object.entries(m.kinds);
  if (field === "authentication") return Object.entries(m.proofs);
  return field === "hasAttachment" ? Object.entries(m.attachments) : null;
}

function opsOf(condition: Condition): { ops: readonly (keyof typeof m.ops)[]; op: string } {
  if (condition.field === "hasAttachment") return { ops: [], op: "" };
  if (condition.field === "size") return { ops: ["larger_than", "smaller_than"], op: condition.op };
  if (condition.field === "kind" || condition.field === "authentication") {
    return { ops: ["is", "is_not"], op: condition.op };
  }
  return { ops: TEXT_OPS, op: condition.op };
}

function firstOf(field: FieldName): Condition {
  if (field === "kind") return { field, op: "is", value: "newsletter" };
  if (field === "authentication") return { field, op: "is", value: "failed" };
  if (field === "hasAttachment") return { field, value: true };
  if (field === "size") return { field, op: "larger_than", value: 5000 * KB };
  return { field, op: "contains", value: "" };
}
