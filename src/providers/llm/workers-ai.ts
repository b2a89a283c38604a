export { createWorkersAI } from "workers-ai-provider";
