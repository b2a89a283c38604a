import type { CaptionKind } from "./caption-status.ts";
import type { Tone } from "./stream-voice.ts";

/*
 * What the built-in writer says. `{title}` is the stream's title in quotation marks, `{peak}` its most viewers at
 * once, `{length}` how long it was, `{label}` the milestone. A line with a word that has no value is not used.
 */
type PlainTone = Exclude<Tone, "mixed">;

export const OPENINGS: Record<CaptionKind, Record<PlainTone, readonly string[]>> = {
  go_live: {
    professional: [
      "We are live now: {title}.",
      "{title} has just started. Join us live.",
      "Now streaming: {title}.",
      "Our live session {title} is under way.",
    ],
    friendly: [
      "Hey everyone, we're live with {title}! 👋 Come and say hi.",
      "{title} is on right now 🎥 Grab a drink and join us!",
      "We just went live: {title} 😊 It would be lovely to see you there.",
      "Come hang out, {title} is live! 💬",
    ],
    hype: [
      "🔴 LIVE NOW: {title}! Let's go! 🔥",
      "🚨 It's happening! {title} is LIVE! 🚀",
      "🔥 We are LIVE with {title}! Don't miss this one!",
      "🔴 {title} is on RIGHT NOW! Get in here! ⚡",
    ],
  },
  end: {
    professional: [
      "{title} has ended after {length}, with up to {peak} watching at once. Thank you for joining.",
      "{title} has ended after {length}. Thank you to everyone who watched.",
      "{title} has ended. Thank you to everyone who joined us.",
      "That concludes {title}. Thank you for watching.",
    ],
    friendly: [
      "That's a wrap on {title}! {length}, and up to {peak} of you at once. Thank you 💜",
      "And that was {title} 💜 Thanks for spending {length} with us!",
      "That's it for {title}. Thank you all for hanging out 💜 See you next time!",
      "{title} is over, and you were great company 😊 Until next time!",
    ],
    hype: [
      "WHAT A STREAM! 🔥 {title}: {length} and a peak of {peak} viewers! You are unreal! 🙌",
      "🔥 {title} is in the books after {length}! Thank you, you legends! 🙌",
      "That's a wrap on {title}! 🔥 You brought the energy! 🙌",
      "🙌 {title} is DONE and it was wild! See you at the next one! 🔥",
    ],
  },
  milestone: {
    professional: [
      "We have reached {label}. Thank you for your support.",
      "A milestone for us: {label}. Thank you to everyone who made it possible.",
      "{label}: thank you to everyone who follows our work.",
    ],
    friendly: [
      "We did it: {label}! 🎉 Thank you all so much.",
      "{label}! 🥳 Thank you for being here, every one of you.",
      "Wow, {label} 🎉 We couldn't have done this without you.",
    ],
    hype: [
      "🎉 {label}! WE DID IT! You are the best! 🚀",
      "🚀 {label}! LET'S GOOO! Thank you, thank you, thank you! 🎉",
      "🏆 BOOM: {label}! This community is unstoppable! 🔥",
    ],
  },
};

/** The words before the link. They promise no recording: not every platform keeps one. */
export const LINK_LEADS: Record<CaptionKind, Record<PlainTone, string>> = {
  go_live: { professional: "Watch:", friendly: "Join here:", hype: "👉" },
  end: { professional: "Stream page:", friendly: "Missed it? Look here:", hype: "Catch up 👉" },
  milestone: { professional: "See more:", friendly: "Come and celebrate with us:", hype: "Join the party 👉" },
};

/** Said after the opening where there is room for more than a headline. */
export const SECOND_LINES: Record<CaptionKind, Record<PlainTone, readonly string[]>> = {
  go_live: {
    professional: ["Questions are welcome in the chat.", "The chat is open for your questions."],
    friendly: ["Tell us in the chat where you are watching from!", "Bring your questions, the chat is open!"],
    hype: ["Drop into the chat and make some noise! 📣", "Tell a friend, bring the squad! 📣"],
  },
  end: {
    professional: ["We will announce the next session here."],
    friendly: ["What was your favourite moment? Tell us below!"],
    hype: ["Drop your favourite moment below! 👇"],
  },
  milestone: {
    professional: ["We look forward to what comes next."],
    friendly: ["Here's to what comes next!"],
    hype: ["Next stop: even bigger! 📈"],
  },
};
