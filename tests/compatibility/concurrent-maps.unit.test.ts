import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { samplesOf } from './sample.ts';
import { schemaOf } from './schemas.ts';

interface NamedChange {
  input: Parameters<typeof schemaOf>[0];
  apply(document: unknown, input: unknown): void;
}

const AT = '2026-11-24T12:00:00.000Z';
const PLACE = { thread_id: 'thread', number: 1, friend_user_id: 'friend', after: 0 };
const SUBJECT = { user_id: 'subject', card: { display_name: 'Sam', join_date: AT, dogs: [] } };

type Value = Record<string, unknown>;

function initialOf(kind: DocumentKind): A.Doc<Value> {
  const initial = documentKinds[kind].initial as (...parts: unknown[]) => object;
  return A.change(A.init<Value>({ actor: '00' }), { time: 0 }, (doc) => {
    Object.assign(doc, initial('owner', AT, PLACE, SUBJECT));
  });
}

/** The paths of all values. */
const pathsIn = (value: unknown, path = ''): string[] =>
  typeof value !== 'object' || value === null || A.isImmutableString(value)
    ? [path]
    : [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, `${path}/${key}`))];

/** The same input about something else: with other ids and keys. */
const renamed = (input: unknown, suffix: string): unknown =>
  JSON.parse(
    JSON.stringify(input, (name, value: unknown) =>
      typeof value === 'string' && /^(id|key|.*_id)$/.test(name) ? value + suffix : value,
    ),
  );

/** Only the API makes these, one after the other in a document that it has just created. */
const IN_TURN = new Set(['messages.remove']);

/** Each with itself, and with the next one: two sounds of one type replace each other, and only those of two types show a lost map. */
const pairsOf = <T>(all: readonly T[]): [T, T][] =>
  all.flatMap((one, i): [T, T][] => [
    [one, one],
    [one, all[(i + 1) % all.length]!],
  ]);

test.each(Object.keys(documentKinds) as DocumentKind[])(
  'two devices that make the same change of a %s for the first time, about different things, lose neither',
  (kind) => {
    const base = initialOf(kind);
    const changes = Object.entries(documentKinds[kind].changes) as [string, NamedChange][];
    let tried = 0;
    for (const [name, { input, apply }] of changes.filter(([each]) => !IN_TURN.has(each)))
      for (const samples of pairsOf([...samplesOf(schemaOf(input, 'input'))])) {
        const inputs = samples.map((sample, i) => input.safeParse(renamed(sample, String(i + 1))));
        if (!inputs.every(({ success }) => success)) continue;
        const make = (doc: A.Doc<Value>, actor: number) =>
          A.change(A.clone(doc, { actor: `0${actor}` }), { time: 0 }, (draft) =>
            apply(draft, inputs[actor - 1]!.data),
          );
        const together = A.merge(make(base, 1), make(base, 2));
        const inTurn = make(make(base, 1), 2);
        const left = pathsIn(inTurn).filter((path) => !pathsIn(together).includes(path));
        expect({ name, left }).toEqual({ name, left: [] });
        tried++;
      }
    expect(tried).toBeGreaterThan(0);
  },
);
