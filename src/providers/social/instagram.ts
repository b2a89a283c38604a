import { failed, textOf, unknownResult } from "./call.ts";
import { checkGraph, graph, graphFailure } from "./graph.ts";
import type { CredentialCheck, Post, PostResult, SocialTimeouts } from "./post.ts";

interface Account {
  baseUrl: string;
  accountId: string;
  accessToken: string;
}

/** Two steps: a media container is created from image and caption, and published when it is ready. */
export async function postToInstagram(account: Account, post: Post, timeouts: SocialTimeouts): Promise<PostResult> {
  if (!post.imageUrl) {
    return failed("Instagram posts need an image, and the session has no thumbnailUrl. Nothing was posted.");
  }
  const path = encodeURIComponent(account.accountId);
  const form = { image_url: post.imageUrl, caption: post.text };
  const created = await graph(account, { path: `${path}/media`, form }, timeouts);
  const notCreated = graphFailure("Instagram", created, account.accessToken, { publishes: false });
  if (notCreated) return notCreated;
  const container = textOf(created.json.id);
  if (!container) return failed("Instagram sent an unknown response. Nothing was posted.");

  const notReady = await waitUntilReady(account, container, timeouts);
  if (notReady) return notReady;

  const publication = { path: `${path}/media_publish`, form: { creation_id: container }, publishes: true as const };
  const published = await graph(account, publication, timeouts);
  const failure = graphFailure("Instagram", published, account.accessToken, { publishes: true });
  const id = textOf(published.json.id);
  if (id && !failure) return { result: "posted", url: await permalink(account, id, timeouts) };
  const result = failure ?? unknownResult("Instagram", published);
  // Without a response to the call, the container still knows whether it was published.
  const isUncertain = result.result === "failed" && result.uncertain;
  return isUncertain && (await statusOf(account, container, timeouts)) === "PUBLISHED"
    ? { result: "posted", url: null }
    : result;
}

async function field(account: Account, id: string, name: string, timeouts: SocialTimeouts): Promise<string | null> {
  const request = { path: encodeURIComponent(id), query: { fields: name } };
  const { json } = await graph(account, request, { ...timeouts, maxWaitMs: 0 });
  return textOf(json[name]);
}

function statusOf(account: Account, container: string, timeouts: SocialTimeouts): Promise<string | null> {
  return field(account, container, "status_code", timeouts);
}

async function waitUntilReady(
  account: Account,
  container: string,
  timeouts: SocialTimeouts,
): Promise<PostResult | null> {
  for (let poll = 1; poll <= timeouts.polls; poll++) {
    const status = await statusOf(account, container, timeouts);
    if (status === "FINISHED") return null;
    if (status === "ERROR" || status === "EXPIRED") {
      return failed("Instagram could not use the image. It must be a public JPEG. Nothing was posted.");
    }
    await new Promise((resolve) => setTimeout(resolve, timeouts.pollMs));
  }
  return failed("Instagram did not process the image in time. Nothing was posted.");
}

async function permalink(account: Account, id: string, timeouts: SocialTimeouts): Promise<string | null> {
  const link = await field(account, id, "permalink", timeouts);
  return link?.startsWith("https://") ? link : null;
}

export function checkInstagram(account: Account, timeouts: SocialTimeouts): Promise<CredentialCheck> {
  return checkGraph("Instagram", account, encodeURIComponent(account.accountId), "username", timeouts);
}
