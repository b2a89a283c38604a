import * as z from "zod";
import { CAPTION_PLATFORMS } from "../../../lib/caption-kinds.ts";
import type { Question } from "../../ai-models/ask.ts";
import type { Limits } from "../../ai-models/model.ts";
import { INSTRUCTIONS, modelPrompt, type PlatformCaption, type PlatformVoice, repaired } from "./model-writer.ts";
import { type CaptionTopic, factsOf } from "./topic.ts";
import { writeCaption } from "./writer.ts";

const ModelCaptions = z.object({
  captions: z.array(z.object({ platform: z.enum(CAPTION_PLATFORMS), text: z.string(), hashtags: z.array(z.string()) })),
});

/** One question for all platforms, so that the captions differ from each other. */
export function captionQuestion(
  topic: CaptionTopic,
  voices: readonly PlatformVoice[],
  /** What the captions should also mention. */
  notes = "",
  limits?: Limits,
): Question<PlatformCaption[], z.infer<typeof ModelCaptions>> {
  const { kind } = topic;
  const facts = factsOf(topic);
  return {
    task: "caption",
    instructions: INSTRUCTIONS,
    prompt: modelPrompt(kind, facts, voices, notes),
    schema: ModelCaptions,
    ...(limits && { limits }),
    check(given) {
      const list = voices.map((voice) => repaired(given.captions, voice, facts, notes));
      return list.every((caption) => caption !== null) ? list : null;
    },
    builtin: () =>
      voices.map((voice) => ({
        platform: voice.platform,
        ...writeCaption({ kind, platform: voice.platform, facts, voice, notes }),
      })),
  };
}
