import { failed, lost, textOf } from "./call.ts";
import { checkGraph, graph, graphFailure } from "./graph.ts";
import type { Check, Outcome, Post, SocialPace } from "./post.ts";

interface Account {
  baseUrl: string;
  accountId: string;
  accessToken: string;
}

/** Two steps: a container is made of picture and caption, and once it is ready it is published. */
export async function postToInstagram(account: Account, post: Post, pace: SocialPace): Promise<Outcome> {
  if (!post.imageUrl) {
    return failed("Instagram takes no post without a picture, and the session has no thumbnail. Nothing was posted.");
  }
  const path = encodeURIComponent(account.accountId);
  const made = await graph(
    account,
    { path: `${path}/media`, form: { image_url: post.imageUrl, caption: post.text } },
    pace,
  );
  const notMade = graphFailure("Instagram", made, account.accessToken, { sent: false });
  if (notMade) return notMade;
  const container = textOf(made?.json.id);
  if (!container) return failed("Instagram answered in an unknown form. Nothing was posted.");

  const notReady = await untilReady(account, container, pace);
  if (notReady) return notReady;

  const published = await graph(account, { path: `${path}/media_publish`, form: { creation_id: container } }, pace);
  const failure = graphFailure("Instagram", published, account.accessToken, { sent: true });
  const id = textOf(published?.json.id);
  if (id && !failure) return { result: "posted", url: await permalink(account, id, pace) };
  const outcome = failure ?? lost("Instagram", published);
  // The container knows what became of it when the answer was lost; short of that word it stays uncertain.
  const isOpen = outcome.result === "failed" && outcome.uncertain;
  return isOpen && (await statusOf(account, container, pace)) === "PUBLISHED"
    ? { result: "posted", url: null }
    : outcome;
}

async function statusOf(account: Account, container: string, pace: SocialPace): Promise<string | null> {
  const request = { path: encodeURIComponent(container), query: { fields: "status_code" } };
  return textOf((await graph(account, request, { ...pace, patienceMs: 0 }))?.json.status_code);
}

async function untilReady(account: Account, container: string, pace: SocialPace): Promise<Outcome | null> {
  for (let look = 1; look <= pace.polls; look++) {
    const status = await statusOf(account, container, pace);
    if (status === "FINISHED") return null;
    if (status === "ERROR" || status === "EXPIRED") {
      return failed(
        "Instagram could not use the picture. Only a JPEG that anyone can fetch works. Nothing was posted.",
      );
    }
    await new Promise((resolve) => setTimeout(resolve, pace.pollMs));
  }
  return failed("Instagram did not get the picture ready in time. Nothing was posted.");
}

async function permalink(account: Account, id: string, pace: SocialPace): Promise<string | null> {
  const request = { path: encodeURIComponent(id), query: { fields: "permalink" } };
  const answer = await graph(account, request, { ...pace, patienceMs: 0 });
  const link = textOf(answer?.json.permalink);
  return link?.startsWith("https://") ? link : null;
}

export function checkInstagram(account: Account, pace: SocialPace): Promise<Check> {
  return checkGraph("Instagram", account, encodeURIComponent(account.accountId), "username", pace);
}
