/** The text of an answer. Throws when it is longer than we are ready to keep: a provider may never stop. */
export async function limitedText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error("The answer is too large.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
