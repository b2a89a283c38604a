/** The built bundle; build.ts puts it in the place of this name. */
declare module "worker-under-test" {
  export interface WorkerEnv extends Record<string, unknown> {
    DB: D1Database;
  }

  const worker: { fetch(request: Request, env: WorkerEnv, execution: ExecutionContext): Promise<Response> };
  export default worker;
}
