import { textOf, unknownResult } from "./call.ts";
import { checkGraph, graph, graphFailure } from "./graph.ts";
import type { CredentialCheck, Post, PostResult, SocialTimeouts } from "./post.ts";

interface Page {
  baseUrl: string;
  pageId: string;
  accessToken: string;
}

export async function postToFacebook(page: Page, post: Post, timeouts: SocialTimeouts): Promise<PostResult> {
  const form = { message: post.text, ...(post.url && { link: post.url }) };
  const response = await graph(
    page,
    { path: `${encodeURIComponent(page.pageId)}/feed`, form, publishes: true },
    timeouts,
  );
  const failure = graphFailure("Facebook", response, page.accessToken, { publishes: true });
  if (failure) return failure;
  const id = textOf(response.json.id);
  return id ? { result: "posted", url: `https://www.facebook.com/${id}` } : unknownResult("Facebook", response);
}

export function checkFacebook(page: Page, timeouts: SocialTimeouts): Promise<CredentialCheck> {
  return checkGraph("Facebook", page, encodeURIComponent(page.pageId), "name", timeouts);
}
