import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  type CallToolResult,
  type ElicitResult,
  type ImageContent,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';

/** An agent, by the SDK's own client. */
export class Agent {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** `person`: answers the questions of the server; without one, the agent cannot ask. */
  static async on(
    transport: Transport,
    person?: (question: string) => ElicitResult['action'],
  ): Promise<Agent> {
    const capabilities = person ? { elicitation: {} } : {};
    const client = new Client({ name: 'test', version: '1' }, { capabilities });
    if (person) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
        action: person(params.message),
      }));
    }
    await client.connect(transport);
    return new Agent(client);
  }

  get instructions(): string {
    return this.#client.getInstructions() ?? '';
  }

  async tools(): Promise<string[]> {
    return (await this.#client.listTools()).tools.map(({ name }) => name).sort();
  }

  /** The names of the tools that change nothing. */
  async readingTools(): Promise<string[]> {
    const { tools } = await this.#client.listTools();
    return tools.flatMap((one) => (one.annotations?.readOnlyHint ? [one.name] : [])).sort();
  }

  async call(
    name: string,
    input: Record<string, unknown>,
    onprogress?: (progress: Progress) => void,
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a test reads out of an answer is the test
  ): Promise<{ text: string; data: any; isError: boolean; image: ImageContent | undefined }> {
    const result = (await this.#client.callTool({ name, arguments: input }, undefined, {
      timeout: 600_000,
      ...(onprogress && { onprogress }),
    })) as CallToolResult;
    const text = (result.content[0] as { text: string }).text;
    const [, , json] = /<(clip-data-[0-9a-f]{12})>\n([\s\S]*)\n<\/\1>$/.exec(text) ?? [];
    const image = result.content.find((one) => one.type === 'image');
    return { text, data: json ? JSON.parse(json) : null, isError: !!result.isError, image };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
