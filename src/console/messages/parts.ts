/** The texts of the parts that several screens are made of. */
export const parts = {
  saved: "Saved",
  notSaved: "The change was not saved.",
  copy: "Copy",
  copied: "Copied",
  download: "Download",
  more: "Show more",
  proof: {
    title: "Confirm that it is you",
    lead: "This needs your password, even though you are signed in.",
    password: "Password",
    code: "Two-factor code",
    codeHint: "The six digits that your authenticator app shows now.",
    confirm: "Confirm",
    enterPassword: "Enter your password.",
    enterCode: "Enter the code.",
  },
};
