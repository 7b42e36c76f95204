import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fieldTime } from '../../client/features/advertisers/datetime-local.ts';
import { LocalFields } from '../../client/features/advertisers/local-fields.tsx';
import { emptyDraft } from '../../client/features/advertisers/signup/draft.ts';

const zone = process.env['TZ'];
beforeEach(() => {
  process.env['TZ'] = 'America/New_York';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['2026-11-20T15:00:00Z', '2026-11-20T10:00'],
  ['2026-11-20T15:00:01Z', '2026-11-20T10:01'],
  // When daylight saving time ends, 1:30 occurs twice, and a date field means the first.
  ['2026-11-01T05:30:00Z', '2026-11-01T01:30'],
  ['2026-11-01T06:30:00Z', '2026-11-01T02:00'],
  // When daylight saving time begins, 2:30 does not exist.
  ['2026-03-08T06:59:30Z', '2026-03-08T03:00'],
])('shows %s as %s in a local date field, which never means an earlier time', (time, text) => {
  expect(fieldTime(new Date(time))).toBe(text);
  expect(new Date(text).getTime()).toBeGreaterThanOrEqual(Date.parse(time));
});

test('the radius of a business goes from 0.1 to 50 miles by 0.1, and starts at 5', () => {
  const fields = createElement(LocalFields, {
    local: emptyDraft.local,
    fields: {},
    change: () => {},
  });
  const html = renderToStaticMarkup(createElement(MemoryRouter, null, fields));
  const radius = /<input[^>]*name="search_radius_miles"[^>]*>/.exec(html)?.[0];
  for (const attribute of ['min="0.1"', 'max="50"', 'step="0.1"', 'value="5"'])
    expect(radius).toContain(attribute);
  const types = [...html.matchAll(/name="business_type"[^>]* value="(\w+)"/g)];
  expect(types.map(([, type]) => type)).toEqual([
    'restaurant',
    'hotel',
    'veterinary',
    'pet_store',
    'grooming',
    'boarding',
    'park',
    'service',
    'other',
  ]);
  expect(html).toMatch(/name="business_type"[^>]*checked=""[^>]* value="restaurant"/);
});
