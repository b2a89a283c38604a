/** The calendar month in UTC that budgets, plans and alerts count by. */
export interface Month {
  /** `2026-11` */
  name: string;
  start: Date;
  end: Date;
}

export function monthOf(now: Date): Month {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  return {
    name: now.toISOString().slice(0, 7),
    start: new Date(Date.UTC(year, month, 1)),
    end: new Date(Date.UTC(year, month + 1, 1)),
  };
}
