import * as fc from 'fast-check';

/** The part of JSON Schema that the contracts use. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  format?: string;
  pattern?: string;
  additionalProperties?: Schema | boolean;
}

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

/** Values that careless code stumbles over. */
export const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.1,
  1e21,
  -1.7976931348623157e308,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eabc',
  '👩‍🚒'.repeat(40),
  'x'.repeat(5_000),
  'x'.repeat(70_000),
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '<img src=x onerror=alert(1)>',
  "'; drop table users; --",
  '=cmd()',
  '%00',
  '%zz',
  '{"$gt":""}',
  '+275760-09-13T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  'NaN',
  'Infinity',
  '1e400',
  '-0',
  [],
  [[]],
  {},
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { length: -1 },
  { toString: 1 },
  JSON.parse('{"__proto__":{"is_admin":true},"constructor":{"prototype":{}}}') as unknown,
  nested(40),
  nested(2_000),
];

const hostile = fc.constantFrom(...HOSTILE);

const text = (schema: Schema): fc.Arbitrary<string> => {
  const minLength = schema.minLength ?? 0;
  const maxLength = Math.min(schema.maxLength ?? 60, Math.max(minLength, 60));
  const usual = fc.oneof(
    fc
      .constantFrom('Rex', 'Lola and Rex', 'Hello there', 'A quiet park')
      .map((words) => words.padEnd(minLength, 'x').slice(0, maxLength)),
    fc.string({ minLength, maxLength, unit: 'grapheme' }),
  );
  const longest = fc.constant('w'.repeat(schema.maxLength ?? 200));
  return fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: longest, weight: 1 });
};

function formatted(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'email') return fc.emailAddress();
  if (schema.format === 'uri') return fc.webUrl();
  const time = () =>
    fc
      .date({ min: new Date('2024-01-01'), max: new Date('2029-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString());
  if (schema.format === 'date-time') return time();
  if (schema.pattern?.includes('T(?:')) return time();
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  return text(schema);
}

function numeric(schema: Schema, isInteger: boolean): fc.Arbitrary<number> {
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -1_000;
  const max = Math.max(min, Math.min(schema.maximum ?? schema.exclusiveMaximum ?? 1e6, 1e12));
  const edges = fc.constantFrom(min, max);
  const between = isInteger
    ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
    : fc.double({ min, max, noNaN: true });
  return fc.oneof({ arbitrary: between, weight: 4 }, { arbitrary: edges, weight: 1 });
}

interface InputSettings {
  /** Returns values that the server has shown, such as ids, by the name of their field. */
  known(field: string): readonly unknown[];
  /** What `$ref` refers to. */
  schemas: Record<string, Schema>;
  /** Whether hostile values occur anywhere among valid ones. */
  isHostile: boolean;
}

/** Returns values for the schema of a field. */
export function inputFor(
  schema: Schema,
  settings: InputSettings,
  field: string,
): fc.Arbitrary<unknown> {
  const { known, schemas, isHostile } = settings;
  const deeper = (part: Schema, name = field) => inputFor(part, settings, name);
  const valid = (): fc.Arbitrary<unknown> => {
    const variants = schema.anyOf ?? schema.oneOf;
    if (schema.$ref) return deeper(schemas[schema.$ref.split('/').at(-1)!] ?? {});
    if (variants) return fc.oneof(...variants.map((variant) => deeper(variant)));
    if (schema.allOf)
      return fc
        .tuple(...schema.allOf.map((part) => deeper(part)))
        .map((parts) => Object.assign({}, ...parts) as unknown);
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const types = [schema.type ?? 'anything'].flat();
    return fc.oneof(...types.map((type) => ofType(type)));
  };
  const ofType = (type: string): fc.Arbitrary<unknown> => {
    switch (type) {
      case 'string':
        return formatted(schema);
      case 'integer':
      case 'number':
        return numeric(schema, type === 'integer');
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(deeper(schema.items ?? {}), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 3),
        });
      case 'object': {
        const parts = Object.entries(schema.properties ?? {}).map(
          ([name, part]) => [name, deeper(part, name)] as const,
        );
        return fc.record(Object.fromEntries(parts), { requiredKeys: schema.required ?? [] });
      }
      default:
        return hostile;
    }
  };
  const seen = known(field);
  const options = [
    { arbitrary: valid(), weight: 20 },
    { arbitrary: hostile, weight: isHostile ? 2 : 0 },
  ];
  if (seen.length > 0) options.push({ arbitrary: fc.constantFrom(...seen), weight: 60 });
  return fc.oneof(...options);
}
