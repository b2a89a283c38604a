/** The addresses that emails link to. Tokens are in the fragment, which no browser sends to a server. */
export function pagesOf(baseUrl: string) {
  return {
    forgot: `${baseUrl}/app/forgot`,
    reset: (token: string) => `${baseUrl}/app/reset#token=${token}`,
    verify: (token: string) => `${baseUrl}/app/verify#token=${token}`,
    /** An operation in the API reference, which people can try out there. */
    reference: (group: string, operationId: string) => `${baseUrl}/docs#/${encodeURIComponent(group)}/${operationId}`,
  };
}
