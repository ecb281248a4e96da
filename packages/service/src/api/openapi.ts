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

/** The paths and components of an OpenAPI 3.1 document of these calls. */
export function openApi<OwnCode extends string>(
  calls: readonly Call<OwnCode>[],
  { schemas, headers, answerHeaders, statuses, meanings, securitySchemes, common }: Rules<OwnCode>,
): { paths: Json; components: Json } {
  const components = { responses: {} as Json, schemas: {} as Json, securitySchemes };
  const registries = { input: z.registry<{ id: string }>(), output: z.registry<{ id: string }>() };
  for (const [name, schema] of Object.entries(schemas) as [string, Schema][]) {
    if (!(schema instanceof z.core.$ZodObject)) continue;
    const id = name.charAt(0).toUpperCase() + name.slice(1).replace(/Schema$/, '');
    registries.output.add(schema, { id });
    // What is sent has another form: its unknown fields are refused, and defaults are optional.
    registries.input.add(schema, { id: id.replace(/(?:Request)?$/, 'Request') });
  }

  function toJson(schema: Schema, io: 'input' | 'output', metadata = registries[io]): Json {
    const made = z.toJSONSchema(schema, {
      io,
      metadata,
      unrepresentable: 'any',
      override({ zodSchema, jsonSchema }) {
        if (io === 'input') return;
        if (zodSchema === schemas.dateTimeSchema) jsonSchema.format = 'date-time';
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      },
    });
    const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs, ...json } = JSON.parse(text) as Json;
    Object.assign(components.schemas, $defs);
    return json;
  }

  const toContent = (content: Content, io: 'input' | 'output'): Json =>
    Object.fromEntries(
      [content]
        .flat()
        .map((one) =>
          typeof one === 'string' ? [one, {}] : ['application/json', { schema: toJson(one, io) }],
        ),
    );

  const toHeader = ({ schema = z.string(), ...header }: Header): Json => ({
    ...header,
    schema: toJson(schema, 'input'),
  });
  const toHeaders = (names: readonly string[]): Json =>
    Object.fromEntries(names.map((name) => [name, toHeader(answerHeaders[name]!)]));

  /** One response for each status, with its possible codes. */
  const toProblems = (codes: readonly OwnCode[]): Json =>
    Object.fromEntries(
      [...Map.groupBy(new Set(codes), (code) => statuses[code])].map(([status, own]) => {
        const name = own.join('_or_');
        components.responses[name] ??= {
          description: own.map((code) => `\`${code}\`: ${meanings[code]}`).join('; '),
          headers: toHeaders(status === 429 ? ['Retry-After'] : []),
          content: {
            'application/problem+json': {
              schema: {
                ...toJson(schemas.problemSchema, 'output'),
                required: ['type', 'title', 'status', 'code'],
                properties: { status: { const: status }, code: { enum: own } },
              },
            },
          },
        };
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );

  function toOperation(call: Call<OwnCode>): Json {
    const { id, summary, details, query, body, answers, ...own } = call.description;
    const shared = common(call);
    // The parameters of a query stand one by one, so it is no component.
    const { properties = {}, required = [] }: z.core.JSONSchema.BaseSchema = query
      ? toJson(query, 'input', z.registry())
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
          schema: toJson(schemas.idSchema, 'input'),
        })),
        ...Object.entries(properties).map(([name, schema]) => ({
          name,
          in: 'query',
          required: required.includes(name),
          schema,
        })),
        ...[...(own.headers ?? []), ...shared.headers].map((name) => ({
          name,
          in: 'header',
          ...toHeader(headers[name]!),
        })),
      ],
      requestBody: body && {
        // No body counts as an empty object.
        required: !('_zod' in body && z.safeParse(body, {}).success),
        content: toContent(body, 'input'),
      },
      responses: {
        ...toProblems([...own.errors, ...shared.errors]),
        ...Object.fromEntries(
          Object.entries(answers).map(([status, [description, content, names = []]]) => [
            status,
            {
              description,
              headers: toHeaders(names),
              ...(content && { content: toContent(content, 'output') }),
            },
          ]),
        ),
      },
    };
  }

  const byPath = Map.groupBy(calls, ({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  const paths = [...byPath].map(([path, own]) => [
    path,
    Object.fromEntries(own.map((call) => [call.method.toLowerCase(), toOperation(call)])),
  ]);
  return { paths: Object.fromEntries(paths) as Json, components };
}
