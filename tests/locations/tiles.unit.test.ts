import { expect, test } from 'vitest';
import { OPENSTREETMAP, tileSource } from '#shared/locations/tiles.ts';

test.each([
  [OPENSTREETMAP.url, 'https://tile.openstreetmap.org'],
  ['https://{s}.tiles.example/{z}/{x}/{y}@2x.png?key=1', 'https://*.tiles.example'],
  ['http://localhost:8080/{z}/{x}/{y}.png', 'http://localhost:8080'],
  ['http://tiles.example/{z}/{x}/{y}.png', null],
  ['https://tiles.example/{z}/{x}.png', null],
  ['https://tiles.example; script-src */{z}/{x}/{y}.png', null],
  ['none', null],
  ['', null],
])('tileSource of %s is %s', (url, source) => expect(tileSource(url)).toBe(source));
