/** Throws if the response is longer: a provider may never stop sending. */
export async function limitedText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error("The response is too large.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
