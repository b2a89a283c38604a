export { createGoogle } from "@ai-sdk/google";
