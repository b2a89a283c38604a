interface ChoicesProps<T> {
  options: readonly (readonly [label: string, value: T])[];
  onChoose(value: T): void;
}

/** The usual answers of a dialog, the first of which has the focus. */
export function Choices<T>({ options, onChoose }: ChoicesProps<T>) {
  return (
    <ul class="snooze-choices stack gap-2">
      {options.map(([label, value], index) => (
        <li key={label}>
          <button type="button" class="menu-item item" autofocus={index === 0} onClick={() => onChoose(value)}>
            <span>{label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
