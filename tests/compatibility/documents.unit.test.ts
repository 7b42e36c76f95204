import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { describeDocument, readDocument, type ReleasedDocument } from './documents.ts';
import type { schemaOf } from './schemas.ts';

const released = Object.entries(
  JSON.parse(readFileSync(join(import.meta.dirname, 'released-documents.json'), 'utf8')) as Record<
    DocumentKind,
    ReleasedDocument
  >,
) as [DocumentKind, ReleasedDocument][];

describe('documents of the released version', () => {
  test.each(released)('this version reads a %s of the released version', (kind, document) => {
    expect(JSON.stringify(document.read).length).toBeGreaterThan(60);
    expect(readDocument(kind, document.saved)).toMatchObject(document.read);
  });

  test.each(released)(
    'the released version finds each value of a %s at its place, with its type',
    (kind, { shape }) => {
      const now = describeDocument(kind).shape;
      const changed = Object.entries(shape).filter(([path, types]) => {
        const present = new Set(now[path]?.split(' '));
        return !types.split(' ').every((type) => present.has(type));
      });
      expect(Object.keys(shape).length).toBeGreaterThan(2);
      expect(changed).toEqual([]);
    },
  );

  test.each(released)(
    'this version accepts the named changes of a released %s',
    (kind, { changes }) => {
      const all = documentKinds[kind].changes as Record<
        string,
        { input: Parameters<typeof schemaOf>[0] }
      >;
      for (const [name, inputs] of Object.entries(changes)) {
        expect(inputs.length).toBeGreaterThan(0);
        for (const input of inputs)
          expect({ name, issues: all[name]?.input.safeParse(input).error?.issues }).toEqual({
            name,
            issues: all[name] ? undefined : 'the change exists',
          });
      }
    },
  );
});
