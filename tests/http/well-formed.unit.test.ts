import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { wellFormed } from '../../api/platform/http/well-formed.ts';

test('removes NUL and half surrogate pairs from texts and names at any depth', () => {
  expect(wellFormed('a\0b')).toBe('ab');
  expect(wellFormed({ 'a\0': ['\ud83d', { b: '\0\0' }], n: 1, no: null })).toEqual({
    a: ['\ufffd', { b: '' }],
    n: 1,
    no: null,
  });
  expect(wellFormed(JSON.parse('{"__proto__\\u0000": {"x": "\\u0000"}}'))).toEqual(
    JSON.parse('{"__proto__": {"x": ""}}'),
  );
});

test('leaves everything else as it is, and takes any depth', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }).map(JSON.stringify), (json) => {
      // Read from JSON, as requests are: it has no -0.
      expect(wellFormed(JSON.parse(json))).toEqual(JSON.parse(json.replaceAll('\\u0000', '')));
    }),
  );
  let deep: unknown = 'a\0';
  for (let i = 0; i < 200_000; i++) deep = [deep];
  expect(Array.isArray(wellFormed(deep))).toBe(true);
});
