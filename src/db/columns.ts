import { integer } from "drizzle-orm/sqlite-core";

/** A point in time, stored as milliseconds. */
export const moment = (name: string) => integer(name, { mode: "timestamp_ms" });
