/** The texts of the parts that several screens are made of. */
export const parts = {
  save: "Save",
  saved: "Saved",
  marked: "Check the marked fields.",
  notSaved: "The change was not saved.",
  copy: "Copy",
  copied: "Copied",
  more: "Show more",
  people: { suggestions: "Suggestions", neverWritten: "Not emailed yet" },
  proof: {
    title: "Confirm your identity",
    lead: "This needs your password, even though you are signed in.",
    leadFor: (action: string) => `“${action}” needs your password, even though you are signed in.`,
    holds: (minutes: number) => `Once confirmed, you are not asked again in this session for ${minutes} minutes.`,
    eachTime: "You are asked every time.",
    password: "Password",
    code: "Two-factor code",
    codeHint: "The six digits that your authenticator app shows now.",
    confirm: "Confirm",
    enterPassword: "Enter your password.",
    enterCode: "Enter the code.",
  },
};
