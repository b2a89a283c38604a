const NAME = "hub";
/** After that nobody waits for a hint any more: clients look on their own. */
const RING_MS = 5000;
/** An object has no address; a request to it needs one all the same. */
const ADDRESS = "https://hub.invalid/";

/** Wakes every live client. */
export async function ringHub(hub: DurableObjectNamespace): Promise<void> {
  await stubOf(hub).fetch(ADDRESS, { method: "POST", signal: AbortSignal.timeout(RING_MS) });
}

/** A socket that gets a message whenever the hub is rung. */
export async function connectToHub(hub: DurableObjectNamespace): Promise<WebSocket> {
  const { webSocket } = await stubOf(hub).fetch(ADDRESS, { headers: { upgrade: "websocket" } });
  if (!webSocket) throw new Error("the hub opened no socket");
  return webSocket;
}

/** One object for all, and a new stub for each call: after a failure a stub stays broken. */
function stubOf(hub: DurableObjectNamespace): DurableObjectStub {
  return hub.get(hub.idFromName(NAME));
}
