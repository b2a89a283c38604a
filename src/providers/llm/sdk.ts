import { assertType } from "../../lib/cast.ts";

// Its warnings quote the request, which is a person's mail.
assertType<{ AI_SDK_LOG_WARNINGS: boolean }>(globalThis).AI_SDK_LOG_WARNINGS = false;

export { generateText, isStepCount, Output, streamText } from "ai";
