export interface Address {
  /** Empty when only the address is known. */
  name: string;
  email: string;
}

export function isEmailAddress(text: string): boolean {
  return text.length <= 320 && /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(text);
}

export function localPart(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 0 ? email : email.slice(0, at);
}
