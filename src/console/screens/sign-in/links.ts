import "../../base.ts";

/** The pages that links in emails lead to, in one file. */
export { default as Forgot } from "./forgot.tsx";
export { default as Reset } from "./reset.tsx";
export { default as Verify } from "./verify.tsx";
