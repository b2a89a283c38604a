import type { CaptionKind, Tone } from "../../../lib/caption-kinds.ts";

/*
 * The sentences of the built-in writer. `{title}` is the stream's title in quotation marks, `{peak}` its peak viewers,
 * `{length}` its duration. A milestone is `{count}`, such as "1,000 subscribers", or `{label}` if a person wrote the
 * label. Of the lines whose placeholders are all known, those with the most placeholders are used.
 */
export type PlainTone = Exclude<Tone, "mixed">;

export const OPENINGS: Record<CaptionKind, Record<PlainTone, readonly string[]>> = {
  go_live: {
    professional: [
      "We are live now: {title}.",
      "{title} has just started. Join us live.",
      "Now streaming: {title}.",
      "{title} is under way. You are welcome to join.",
      "Live now: {title}. We look forward to seeing you.",
      "We are live now. Join us.",
      "Our live stream has just started. You are welcome to join.",
    ],
    friendly: [
      "Hey everyone, we're live with {title}! 👋 Come and say hi.",
      "{title} is on right now 🎥 Grab a drink and join us!",
      "We just went live: {title} 😊 It would be lovely to see you there.",
      "Come hang out, {title} is live! 💬",
      "It's stream time! {title} is on, and there's a seat for you 🛋️",
      "Hey everyone, we're live! 👋 Come and say hi.",
      "We just went live 😊 It would be lovely to see you there.",
      "The stream is on 🎥 Grab a drink and join us!",
    ],
    hype: [
      "🔴 LIVE NOW: {title}! Let's go! 🔥",
      "🚨 It's happening! {title} is LIVE! 🚀",
      "🔥 We are LIVE with {title}! Don't miss this one!",
      "🔴 {title} is on RIGHT NOW! Get in here! ⚡",
      "⚡ Drop everything: {title} just went LIVE! 🔴",
      "🔴 WE ARE LIVE! Let's go! 🔥",
      "🚨 It's happening! We're LIVE! 🚀",
      "⚡ We're on RIGHT NOW! Get in here! 🔴",
    ],
  },
  end: {
    professional: [
      "{title} has ended after {length}, with up to {peak} people watching at once. Thank you for joining.",
      "{title} ran for {length} and reached {peak} viewers at its peak. Thank you to everyone who joined.",
      "Thank you for joining {title}. We were live for {length}, with up to {peak} viewers at once.",
      "{title} has ended after {length}. Thank you to everyone who watched.",
      "Thank you for joining {title}. We were live for {length}.",
      "{title} has ended. Thank you to everyone who joined us.",
      "That concludes {title}. Thank you for watching.",
      "Our live stream has ended after {length}, with up to {peak} people watching at once. Thank you for joining.",
      "Our live stream has ended after {length}. Thank you to everyone who watched.",
      "Our live stream has ended. Thank you to everyone who joined us.",
    ],
    friendly: [
      "That's a wrap on {title}! {length} together, with up to {peak} of you watching at once 💜 Thank you!",
      "Thank you for {length} of {title}! Up to {peak} of you were here at once 💜",
      "And that was {title} 😊 {length}, and {peak} of you with us at the best moment. Thank you all!",
      "And that was {title} 💜 Thanks for spending {length} with us!",
      "That's a wrap on {title}! {length} just flew by. Thank you 💜",
      "That's it for {title}. Thank you all for hanging out 💜 See you next time!",
      "{title} is over, and you were great company 😊 Until next time!",
      "That's a wrap! {length} together, with up to {peak} of you watching at once 💜 Thank you!",
      "That's a wrap! Thanks for spending {length} with us 💜",
      "That's it for this stream. Thank you all for hanging out 💜 See you next time!",
    ],
    hype: [
      "WHAT A STREAM! 🔥 {title}: {length} and a peak of {peak} viewers! You are unreal! 🙌",
      "🔥 {title} is in the books! {length}, {peak} viewers at the peak! Thank you, you legends! 🙌",
      "🙌 {peak} of you at once, {length} of {title}! You brought the ENERGY! 🔥",
      "🔥 {title} is in the books after {length}! Thank you, you legends! 🙌",
      "🙌 {length} of {title}! You brought the ENERGY! 🔥",
      "That's a wrap on {title}! 🔥 You brought the energy! 🙌",
      "🙌 {title} is DONE and it was wild! See you at the next one! 🔥",
      "WHAT A STREAM! 🔥 {length} and a peak of {peak} viewers! You are unreal! 🙌",
      "WHAT A STREAM! 🔥 {length} of pure energy! Thank you, you legends! 🙌",
      "WHAT A STREAM! 🔥 You brought the energy! See you at the next one! 🙌",
    ],
  },
  milestone: {
    professional: [
      "We have reached {count}. Thank you for your support.",
      "A milestone for us: {count}. Thank you to everyone who made it possible.",
      "{count}: thank you to everyone who follows our work.",
      "We have passed {count}. Thank you for being part of it.",
      "We are proud to have reached {count}. Thank you all.",
      "A milestone for us: {label}. Thank you to everyone who made it possible.",
      "{label}. Thank you to everyone who follows our work.",
      "A moment to be proud of: {label}. Thank you for your support.",
    ],
    friendly: [
      "We did it: {count}! 🎉 Thank you all so much.",
      "{count}! 🥳 Thank you for being here, every one of you.",
      "Wow, {count} 🎉 We couldn't have done this without you.",
      "We just hit {count} 🥳 You made our day. Thank you!",
      "{count}, and it's all thanks to you 💜",
      "{label}! 🎉 Thank you all so much.",
      "A moment to celebrate: {label} 🥳 Thank you for being here!",
      "{label}, and it's all thanks to you 💜",
    ],
    hype: [
      "🎉 {count}! WE DID IT! You are the best! 🚀",
      "🚀 {count}! LET'S GOOO! Thank you, thank you, thank you! 🎉",
      "🏆 BOOM: {count}! This community is unstoppable! 🔥",
      "🔥 We just smashed {count}! You are amazing! 🙌",
      "🎉 {count} and counting! What a community! 🚀",
      "🎉 {label}! WE DID IT! You are the best! 🚀",
      "🏆 BOOM: {label}! This community is unstoppable! 🔥",
      "🚀 {label}! Thank you, thank you, thank you! 🎉",
    ],
  },
};

/** Text before the link. It promises no recording, because not every platform keeps one. */
export const LINK_LEADS: Record<CaptionKind, Record<PlainTone, string>> = {
  go_live: { professional: "Watch:", friendly: "Join here:", hype: "👉" },
  end: { professional: "Find it here:", friendly: "Missed it? Look here:", hype: "Missed it? 👉" },
  milestone: { professional: "Join us:", friendly: "Come and celebrate with us:", hype: "Join the party 👉" },
};

/** Added after the opening on platforms with long posts. */
export const SECOND_LINES: Record<CaptionKind, Record<PlainTone, readonly string[]>> = {
  go_live: {
    professional: ["Questions are welcome in the chat.", "The chat is open for your questions."],
    friendly: ["Tell us in the chat where you are watching from!", "Bring your questions, the chat is open!"],
    hype: ["Drop into the chat and make some noise! 📣", "Tell a friend, bring the squad! 📣"],
  },
  end: {
    professional: ["We will announce the next stream here.", "Your questions and comments are welcome below."],
    friendly: ["What was your favourite moment? Tell us below!", "What would you like to see next time?"],
    hype: ["Drop your favourite moment below! 👇", "Who's in for the next one? 🙋"],
  },
  milestone: {
    professional: ["We look forward to what comes next.", "We are grateful for every one of you."],
    friendly: ["Here's to what comes next!", "Since when have you been with us? Tell us below!"],
    hype: ["Next stop: even bigger! 📈", "Who's been here from day one? 🙋"],
  },
};
