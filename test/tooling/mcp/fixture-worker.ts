import { failure, type Offer, RpcError, readMessage, resultOf, success } from "../../../src/features/mcp/protocol.ts";
import { isAllowedOrigin } from "../../../src/http/origin.ts";

/*
 * The service's protocol layer with the tools, resources and prompts that the official conformance suite asks for. Only
 * for that suite: its scenarios need things with fixed contents, which no real tool has.
 */

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=";

const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", data: PNG, mimeType: "image/png" };
const embedded = (uri: string, value: string, mimeType = "text/plain") => ({
  type: "resource",
  resource: { uri, mimeType, text: value },
});

const TOOLS: Record<string, () => object> = {
  test_simple_text: () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] }),
  test_embedded_resource: () => ({
    content: [embedded("test://embedded-resource", "This is an embedded resource content.")],
  }),
  test_multiple_content_types: () => ({
    content: [
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
    ],
  }),
  test_error_handling: () => ({
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  }),
  test_logging_tool: () => ({ content: [text("Nothing was logged.")] }),
  test_missing_capability: () => {
    const data = { requiredCapabilities: { sampling: {} } };
    throw new RpcError(-32021, "This needs sampling.", { status: 400, data });
  },
};

const PROMPTS: Record<string, { arguments?: string[]; messages(given: Record<string, string>): object[] }> = {
  test_simple_prompt: { messages: () => [text("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    messages: ({ resourceUri = "" }) => [
      embedded(resourceUri, "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ],
  },
  test_prompt_with_image: { messages: () => [image, text("Please analyze the image above.")] },
};

function contentsOf(uri: string): object | undefined {
  if (uri === "test://static-text") {
    return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
  }
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: PNG };
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return id === undefined ? undefined : { uri, mimeType: "application/json", text: JSON.stringify(data) };
}

const OFFER: Offer<null> = {
  title: "Fixture",
  instructions: "For tests.",
  capabilities: { tools: {}, resources: {}, prompts: {} },
  methods: {
    "tools/list": async () => ({
      tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema: { type: "object" } })),
    }),
    "tools/call": async ({ name }) => {
      const tool = TOOLS[String(name)];
      if (!tool) throw new RpcError("invalidParams", `Unknown tool: ${name}`);
      return { ...tool() };
    },
    "resources/list": async () => ({
      resources: ["test://static-text", "test://static-binary"].map((uri) => ({ uri, name: uri })),
    }),
    "resources/templates/list": async () => ({
      resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
    }),
    "resources/read": async ({ uri }, _, era) => {
      const contents = contentsOf(String(uri));
      const code = era === "modern" ? "invalidParams" : "resourceNotFound";
      if (!contents) throw new RpcError(code, "Resource not found", { data: { uri } });
      return { contents: [contents] };
    },
    "prompts/list": async () => ({
      prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({
        name,
        description: name,
        arguments: (prompt.arguments ?? []).map((argument) => ({ name: argument, required: true })),
      })),
    }),
    "prompts/get": async ({ name, arguments: given }) => {
      const prompt = PROMPTS[String(name)];
      if (!prompt) throw new RpcError("invalidParams", `Unknown prompt: ${name}`);
      const messages = prompt.messages((given ?? {}) as Record<string, string>);
      return { messages: messages.map((content) => ({ role: "user", content })) };
    },
  },
};

export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
    const config = { CORS_ORIGINS: [], ALLOW_PRIVATE_HOSTS: true };
    const service = { baseUrl: new URL(request.url).origin, config };
    const c = { req: { path: "/mcp", url: request.url }, get: () => service } as unknown as Parameters<
      typeof isAllowedOrigin
    >[0];
    const origin = request.headers.get("origin");
    const host = request.headers.get("host") ?? "";
    const isForeignHost = !/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host);
    if (isForeignHost || (origin !== null && !isAllowedOrigin(c, origin))) {
      return new Response(null, { status: 403 });
    }
    try {
      const message = readMessage(request.headers, await request.text());
      if (message.id === undefined) return new Response(null, { status: 202 });
      return await resultOf(OFFER, message, null).then(
        (result) => success(message.id ?? 0, result),
        (error) => failure(error, message.id),
      );
    } catch (error) {
      if (error instanceof RpcError) return failure(error);
      throw error;
    }
  },
};
