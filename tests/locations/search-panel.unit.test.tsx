// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import type { GeocoderResult } from '#shared/geocoder/contract.ts';
import type { LocationType } from '#shared/locations/schemas.ts';
import { SearchPanel } from '../../client/features/locations/search/search-panel.tsx';
import { renderScreen } from '../render-screen.tsx';

const around = vi.fn<(result: GeocoderResult) => void>();
const search = vi.fn<(radius: number, type: LocationType | null) => void>();
const panel = (hasSearched: boolean) => (
  <SearchPanel
    radius={10}
    type={null}
    hasSearched={hasSearched}
    isSearching={false}
    isFinding={false}
    near={null}
    onSearch={search}
    onUseMyLocation={search}
    onSearchAround={around}
  />
);
const toggle = () => document.querySelector('button[aria-expanded]');

test('the search form is folded on a phone once there was a search, and again after the next one', async () => {
  const screen = await renderScreen(panel(true));
  expect(toggle()?.textContent).toBe('10 miWithin 10 miles · All Types, change the search');
  expect(toggle()?.getAttribute('aria-expanded')).toBe('false');
  await screen.press('Within 10 miles · All Types');
  expect(toggle()?.getAttribute('aria-expanded')).toBe('true');
  await screen.press('Search');
  expect(search).toHaveBeenCalledWith(10, null);
  expect(toggle()?.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(toggle());
});

test('the search form can’t be folded before the first search', async () => {
  await renderScreen(panel(false));
  expect(toggle()).toBeNull();
});

test('the search form is folded again once another town is chosen', async () => {
  const cairo = {
    kind: 'town' as const,
    id: null,
    name: 'Cairo',
    detail: 'Illinois, United States',
    latitude: 37.0053,
    longitude: -89.1765,
    is_osm: false,
  };
  const screen = await renderScreen(panel(true), {
    answers: {
      'GET /api/geocoder/search': { results: [cairo], addresses: 'off', attributions: [] },
    },
  });
  await screen.press('Within 10 miles · All Types');
  await screen.type('input[type=search]', 'Cairo');
  await screen.press('Find');
  await screen.press('Illinois');
  expect(around).toHaveBeenCalledExactlyOnceWith(cairo);
  expect(toggle()?.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(toggle());
});
