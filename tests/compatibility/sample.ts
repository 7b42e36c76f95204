/** The parts of JSON schema that the contracts use. */
export interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-11-24T12:00:00.000Z',
  date: '2026-11-24',
  email: 'ann@example.com',
  uri: 'https://example.com/',
  uuid: '3f2c1c52-0d59-4a63-8f0e-0a6f5b0c9d11',
};
/** Texts of which one matches each pattern in the contracts. */
const TEXTS = [
  'a',
  '1',
  '7',
  'AB12CD34',
  '4321',
  '123456',
  '+15555550123',
  '2026-11-24',
  'a b',
  '12:30',
  'en',
  '#aabbcc',
  'A-1',
  '2026-12-24T12:00:00.000Z',
  '2026-12-24T12:00',
  '40.5',
];

/** Texts for schemas whose rules are only in code, such as refinements. */
const PLAIN = ['a', '1', 'ann@example.com', 'https://example.com/'];

/** Twice the notes of a dog: where only null is valid without its refinement, every second variant counts. */
const VARIANTS = 14;
const DEPTH_MAX = 12;

/** Returns unique values that match a schema, with and without optional fields, in all shapes and enum values. */
export function samplesOf(schema: Schema): unknown[] {
  const samples = new Map<string, unknown>();
  for (let variant = 0; variant < VARIANTS; variant++)
    for (const isMinimal of [false, true]) {
      const sample = sampleOf(schema, { isMinimal, variant });
      samples.set(JSON.stringify(sample), sample);
    }
  return [...samples.values()];
}

interface Wanted {
  /** Whether optional fields are left out. */
  isMinimal?: boolean;
  /** The index of the shape or value to use, modulo their number. */
  variant?: number;
  depth?: number;
}

/** Returns a value that matches a schema. */
function sampleOf(schema: Schema, wanted: Wanted = {}, root: Schema = schema): unknown {
  const { isMinimal = false, variant = 0, depth = 0 } = wanted;
  // The schema is recursive.
  if (depth > DEPTH_MAX) return null;
  const inner = (one: Schema) => sampleOf(one, { ...wanted, depth: depth + 1 }, root);
  const pick = <T>(all: T[]): T => all[variant % all.length]!;
  if (schema.$ref) return inner(root.$defs?.[schema.$ref.replace('#/$defs/', '')] ?? root);
  if ('const' in schema) return schema.const;
  if (schema.enum) return pick(schema.enum);
  const shapes = schema.anyOf ?? schema.oneOf;
  if (shapes) return inner(pick(shapes));
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(inner));
  switch (Array.isArray(schema.type) ? pick(schema.type) : schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {})
        .filter(([name]) => !isMinimal || schema.required?.includes(name))
        .map(([name, field]) => [name, inner(field)]);
      const { additionalProperties: more, propertyNames } = schema;
      if (typeof more === 'object' && !schema.properties)
        for (const name of propertyNames?.enum ?? (isMinimal ? [] : ['key']))
          fields.push([String(name), inner(more)]);
      return Object.fromEntries(fields);
    }
    case 'array': {
      if (schema.prefixItems) return schema.prefixItems.map(inner);
      const count = Math.max(schema.minItems ?? 0, isMinimal ? 0 : 2);
      return Array.from({ length: count }, () => inner(schema.items ?? {}));
    }
    case 'string':
      return textOf(schema, pick(PLAIN));
    case 'integer':
    case 'number':
      return Math.min(
        schema.maximum ?? Infinity,
        Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1, 1),
      );
    case 'boolean':
      return variant % 2 === 0;
    case 'null':
      return null;
    default:
      return {};
  }
}

function textOf({ format, pattern, minLength = 1 }: Schema, plain: string): string {
  if (format && FORMATS[format]) return FORMATS[format];
  const fits = pattern && TEXTS.find((one) => new RegExp(pattern, 'u').test(one));
  if (fits) return fits;
  return plain.padEnd(minLength, 'a');
}
