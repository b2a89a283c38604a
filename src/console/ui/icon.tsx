/** A picture of the sprite in the document (`icons.svg`). What it means is said by the text beside it or by its button. */
export function Icon({ name, size = 18 }: { name: string; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`#i-${name}`} />
    </svg>
  );
}
