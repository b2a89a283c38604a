import { lost, textOf } from "./call.ts";
import { checkGraph, graph, graphFailure } from "./graph.ts";
import type { Check, Outcome, Post, SocialPace } from "./post.ts";

interface Page {
  baseUrl: string;
  pageId: string;
  accessToken: string;
}

export async function postToFacebook(page: Page, post: Post, pace: SocialPace): Promise<Outcome> {
  const form = { message: post.text, ...(post.url && { link: post.url }) };
  const answer = await graph(page, { path: `${encodeURIComponent(page.pageId)}/feed`, form }, pace);
  const failure = graphFailure("Facebook", answer, page.accessToken, { sent: true });
  if (failure) return failure;
  const id = textOf(answer?.json.id);
  return id ? { result: "posted", url: `https://www.facebook.com/${id}` } : lost("Facebook", answer);
}

export function checkFacebook(page: Page, pace: SocialPace): Promise<Check> {
  return checkGraph("Facebook", page, encodeURIComponent(page.pageId), "name", pace);
}
