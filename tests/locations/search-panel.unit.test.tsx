// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { GeocoderResult } from '#shared/geocoder/contract.ts';
import type { LocationType } from '#shared/locations/schemas.ts';
import { FilterChips } from '../../client/features/locations/search/filter-chips.tsx';
import { SearchPanel } from '../../client/features/locations/search/search-panel.tsx';
import type { Address } from '../../client/features/locations/search/use-location-params.ts';
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
/** A phone, unless a test asks for a wide screen. */
const showOn = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
beforeEach(() => void showOn(false));

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

const cairo = {
  kind: 'town' as const,
  id: null,
  name: 'Cairo',
  detail: 'Illinois, United States',
  latitude: 37.0053,
  longitude: -89.1765,
  is_osm: false,
};
const answers = {
  'GET /api/geocoder/search': { results: [cairo], addresses: 'off', attributions: [] },
};
const buttons = () => [...document.querySelectorAll('button')].map((each) => each.textContent);

test('the folded search finds a town with its own button', async () => {
  const screen = await renderScreen(panel(true), { answers });
  await screen.type('input[type=search]', 'Cairo');
  await screen.press('Find');
  await screen.press('Illinois');
  expect(around).toHaveBeenCalledExactlyOnceWith(cairo);
  expect(document.activeElement).toBe(document.querySelector('input[type=search]'));
});

test.each([
  ['on a phone', false],
  ['on a wide screen', true],
])('one button searches %s, for a typed town, too', async (_, isWide) => {
  showOn(isWide);
  around.mockClear();
  search.mockClear();
  const screen = await renderScreen(panel(true), { answers });
  if (!isWide) await screen.press('Within 10 miles · All Types');
  await screen.type('input[type=search]', 'Cairo');
  expect(buttons()).not.toContain('Find');
  await screen.press('Search');
  expect(search).not.toHaveBeenCalled();
  await screen.press('Illinois');
  expect(around).toHaveBeenCalledExactlyOnceWith(cairo);
  expect(toggle()?.getAttribute('aria-expanded')).toBe('false');
  // The chosen town is what is searched around now.
  await screen.press('Search');
  expect(search).toHaveBeenCalledExactlyOnceWith(10, null);
});

const placeQuery: Address['placeQuery'] = {
  from: null,
  radius: 10,
  type: 'park',
  features: ['fenced', 'lit'],
  near: null,
};

test('the sheet of all filters has all, and its button counts all', async () => {
  const address = { placeQuery, amenities: [], hasMap: false } as Partial<Address>;
  const screen = await renderScreen(<FilterChips address={address as Address} />);
  expect(screen.text()).toContain('All filters (3)');
  await screen.press('All filters (3)');
  const has = document.querySelector('[role=dialog]')?.querySelectorAll('[role=group]')[1];
  const names = [...(has?.querySelectorAll('button') ?? [])].map((each) => each.textContent);
  expect(names).toEqual(['Off leash', 'Fenced', 'Has water', 'Has parking', 'Lit at night']);
});
