import type { components } from "#api";

export type Contact = components["schemas"]["Contact"];

/** How people are called whose name nobody has said. */
export const nameOf = ({ name, addresses }: Contact) => name || addresses[0] || "";
