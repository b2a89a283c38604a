/** Where a file can be: avatars and AI keys in KV, everything else in R2. */
export const FILE_STORES = ["kv", "r2"] as const;
export type FileStore = (typeof FILE_STORES)[number];
