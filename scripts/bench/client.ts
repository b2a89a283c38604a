import http from "node:http";

export interface Call {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** The caller leaves when this says so. */
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A Worker's own address, with connections that stay open. */
export class Client {
  readonly #origin: URL;
  readonly #agent: http.Agent;

  constructor(origin: URL, connections: number) {
    this.#origin = origin;
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  }

  send(call: Call): Promise<Answer> {
    const { method = "GET", path, headers, body, signal } = call;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = http.request(new URL(path, this.#origin), {
        agent: this.#agent,
        method,
        signal,
        headers: {
          ...headers,
          ...(payload !== undefined && {
            "content-type": "application/json",
            "content-length": Buffer.byteLength(payload),
          }),
        },
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The runtime closes a connection that was not used for a while, maybe just when it is used again.
        if (request.reusedSocket && error.code === "ECONNRESET") resolve(this.send(call));
        else reject(error);
      });
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      request.end(payload);
    });
  }

  async expect(call: Call, status: number): Promise<Answer> {
    const answer = await this.send(call);
    if (answer.status !== status) {
      const { method = "GET", path } = call;
      throw new Error(`${method} ${path}: expected ${status}, got ${answer.status}: ${answer.text.slice(0, 500)}`);
    }
    return answer;
  }

  /** For set-ups: the JSON a call answers with. */
  async json<T>(call: Call, status = 200): Promise<T> {
    return JSON.parse((await this.expect(call, status)).text);
  }

  close(): void {
    this.#agent.destroy();
  }
}
