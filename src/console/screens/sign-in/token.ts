/** The token of a link in an email. It stays in the fragment until it is used, so that a reload does not lose it. */
export function tokenOfLink(): string {
  return new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
}

export function forgetToken(): void {
  history.replaceState(history.state, "", location.pathname);
}
