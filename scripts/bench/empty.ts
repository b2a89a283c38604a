// The least a Hono Worker can be. Start-up and size are held against this one, because bare.ts grows
// with the cases and a measure must not.
import { Hono } from "hono";

export default new Hono();
