/**
 * Lets other requests come through, for work that goes on for long. The local runtime takes no new request while a chain
 * of database calls always has its next step ready: while a mailbox was imported, requests waited for seconds.
 */
export function letOthersIn(): Promise<void> {
  return scheduler.wait(1);
}
