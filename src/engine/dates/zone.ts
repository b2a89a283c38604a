/** A named zone, or a fixed distance from UTC in minutes. */
export type Zone = { name: string } | { offset: number };
