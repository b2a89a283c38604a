/** Moving among the rows of a list by keys: rows are `[data-row]`, and each has a link or button `[data-row-focus]`. */
function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main [data-row-focus]")];
}

/** The row that has the focus, or holds what has it. */
export function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("[data-row]") ?? null;
}

export function moveRow(step: 1 | -1): void {
  const all = rows();
  const row = currentRow();
  const at = all.findIndex((target) => row?.contains(target));
  const next = at < 0 ? all[step === 1 ? 0 : all.length - 1] : all[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
