import { assertType } from "../../lib/cast.ts";

// Its warnings quote the request, which can contain a person's email.
assertType<{ AI_SDK_LOG_WARNINGS: boolean }>(globalThis).AI_SDK_LOG_WARNINGS = false;

export { generateText, isStepCount, Output, streamText, zodSchema } from "ai";
