import * as z from 'zod/mini';
import type { Content, Description, Schema } from './describe.ts';

type Json = Record<string, unknown>;

interface Call<OwnCode extends string> {
  readonly method: string;
  /** With parameters such as `:id`. */
  readonly path: string;
  readonly description: Description<OwnCode>;
}

interface Header {
  /** If another name stands in descriptions. */
  readonly name?: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}

/** Rules that hold for all calls of a document. */
interface Rules<OwnCode extends string> {
  /** Schemas; those of objects become components. */
  readonly schemas: {
    readonly dateTimeSchema: Schema;
    readonly idSchema: Schema;
    readonly problemSchema: Schema;
  };
  readonly headers: Readonly<Record<string, Header>>;
  readonly answerHeaders: Readonly<Record<string, Header>>;
  readonly statuses: Readonly<Record<OwnCode, number>>;
  readonly meanings: Readonly<Record<OwnCode, string>>;
  readonly securitySchemes: Json;
  /** Headers and codes that a call has beside its own. */
  readonly common: (
    call: Call<OwnCode>,
  ) => Readonly<{ headers: readonly string[]; errors: readonly OwnCode[] }>;
}

/** Writes operations, and collects the components that they share. */
class OperationWriter<OwnCode extends string> {
  readonly components: { responses: Json; schemas: Json; securitySchemes: Json };
  readonly #rules: Rules<OwnCode>;
  readonly #registries = {
    input: z.registry<{ id: string }>(),
    output: z.registry<{ id: string }>(),
  };

  constructor(rules: Rules<OwnCode>) {
    this.#rules = rules;
    this.components = { responses: {}, schemas: {}, securitySchemes: rules.securitySchemes };
    for (const [name, schema] of Object.entries(rules.schemas) as [string, Schema][]) {
      if (!(schema instanceof z.core.$ZodObject)) continue;
      const id = name.charAt(0).toUpperCase() + name.slice(1).replace(/Schema$/, '');
      this.#registries.output.add(schema, { id });
      // What is sent has another form: its unknown fields are refused, and defaults are optional.
      this.#registries.input.add(schema, { id: id.replace(/(?:Request)?$/, 'Request') });
    }
  }

  #toJson(schema: Schema, io: 'input' | 'output', metadata = this.#registries[io]): Json {
    const { dateTimeSchema } = this.#rules.schemas;
    const made = z.toJSONSchema(schema, {
      io,
      metadata,
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        if (io === 'input') return;
        if (zodSchema === dateTimeSchema) jsonSchema.format = 'date-time';
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs, ...json } = JSON.parse(text) as Json;
    Object.assign(this.components.schemas, $defs);
    return json;
  }

  #toContent(content: Content, io: 'input' | 'output'): Json {
    const named = [content]
      .flat()
      .map((one) =>
        typeof one === 'string'
          ? [one, {}]
          : ['application/json', { schema: this.#toJson(one, io) }],
      );
    return Object.fromEntries(named);
  }

  #toHeader({ schema = z.string(), ...header }: Header): Json {
    return { ...header, schema: this.#toJson(schema, 'input') };
  }

  #toHeaders(names: readonly string[]): Json {
    const { answerHeaders } = this.#rules;
    return Object.fromEntries(names.map((name) => [name, this.#toHeader(answerHeaders[name]!)]));
  }

  /** One response for each status, with its possible codes. */
  #toProblems(codes: readonly OwnCode[]): Json {
    const { meanings, schemas, statuses } = this.#rules;
    const byStatus = [...Map.groupBy(new Set(codes), (code) => statuses[code])];
    const responses = byStatus.map(([status, own]) => {
      const name = own.join('_or_');
      this.components.responses[name] ??= {
        description: own.map((code) => `\`${code}\`: ${meanings[code]}`).join('; '),
        headers: this.#toHeaders(status === 429 ? ['Retry-After'] : []),
        content: {
          'application/problem+json': {
            schema: {
              ...this.#toJson(schemas.problemSchema, 'output'),
              required: ['type', 'title', 'status', 'code'],
              properties: { status: { const: status }, code: { enum: own } },
            },
          },
        },
      };
      return [status, { $ref: `#/components/responses/${name}` }];
    });
    return Object.fromEntries(responses);
  }

  toOperation(call: Call<OwnCode>): Json {
    const { id, summary, details, query, body, answers, ...own } = call.description;
    const { common, headers, schemas } = this.#rules;
    const shared = common(call);
    // The parameters of a query stand one by one, so it is no component.
    const { properties = {}, required = [] }: z.core.JSONSchema.BaseSchema = query
      ? this.#toJson(query, 'input', z.registry())
      : {};
    return {
      operationId: id,
      summary,
      description: details,
      parameters: [
        ...[...call.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
          name,
          in: 'path',
          required: true,
          schema: this.#toJson(schemas.idSchema, 'input'),
        })),
        ...Object.entries(properties).map(([name, schema]) => ({
          name,
          in: 'query',
          required: required.includes(name),
          // An object is sent as `name[key]=value`.
          ...(typeof schema === 'object' && schema.type === 'object' && { style: 'deepObject' }),
          schema,
        })),
        ...[...(own.headers ?? []), ...shared.headers].map((name) => ({
          name,
          in: 'header',
          ...this.#toHeader(headers[name]!),
        })),
      ],
      requestBody: body && {
        // No body counts as an empty object.
        required: !('_zod' in body && z.safeParse(body, {}).success),
        content: this.#toContent(body, 'input'),
      },
      responses: {
        ...this.#toProblems([...own.errors, ...shared.errors]),
        ...Object.fromEntries(
          Object.entries(answers).map(([status, [description, content, names = []]]) => [
            status,
            {
              description,
              headers: this.#toHeaders(names),
              ...(content && { content: this.#toContent(content, 'output') }),
            },
          ]),
        ),
      },
    };
  }
}

/** The paths and components of an OpenAPI 3.1 document of these calls. */
export function openApi<OwnCode extends string>(
  calls: readonly Call<OwnCode>[],
  rules: Rules<OwnCode>,
): { paths: Json; components: Json } {
  const writer = new OperationWriter(rules);
  const byPath = Map.groupBy(calls, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  const paths = [...byPath].map(([path, own]) => [
    path,
    Object.fromEntries(own.map((call) => [call.method.toLowerCase(), writer.toOperation(call)])),
  ]);
  return { paths: Object.fromEntries(paths) as Json, components: writer.components };
}
