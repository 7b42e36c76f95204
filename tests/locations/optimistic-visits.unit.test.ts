import { describe, expect, test } from 'vitest';
import type { OwnVisit } from '#shared/locations/visit-contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { visitsWithWaiting } from '../../client/features/locations/visits/optimistic-visits.ts';
import { visitedOn } from '../../client/features/locations/visits/use-visited-today.ts';
import type { WaitingCall } from '../../client/platform/sync/outbox/outbox.ts';

const visit = (id: string): OwnVisit => ({
  id,
  location_id: 'green',
  location_name: 'Green',
  visit_date: '2026-11-21T00:00:00.000Z',
  notes: 'Muddy',
});
const waiting = (call: Pick<WaitingCall, 'name' | 'input'>): WaitingCall =>
  ({ at: 7, label: '', ...call }) as WaitingCall;

test('shows unsent notes marked, and leaves out visits whose removal is unsent', () => {
  const shown = visitsWithWaiting(
    [visit('one'), visit('two'), visit('three')],
    [
      waiting({
        name: 'locations.editVisit',
        input: { params: { id: 'one' }, body: { notes: 'Dry' } },
      }),
      waiting({ name: 'locations.removeVisit', input: { params: { id: 'two' } } }),
    ],
  );
  expect(shown.map(({ id, notes, isWaiting }) => [id, notes, isWaiting])).toEqual([
    ['one', 'Dry', true],
    ['three', 'Muddy', false],
  ]);
});

describe('the places of today', () => {
  const noon = Date.UTC(2026, 10, 28, 12);
  const visited = (id: string, at: number): OwnVisit => ({
    ...visit(id),
    location_id: id,
    visit_date: new Date(at).toISOString(),
  });
  const unsent = (...calls: object[]) =>
    calls.map((call, at) => ({ at: noon + at, label: '', ...call })) as WaitingCall[];
  const made = (location_id: string) => ({
    name: 'locations.visit',
    input: { body: { location_id } },
  });
  const undone = (id: string) => ({ name: 'locations.undoVisit', input: { params: { id } } });

  test('have visits of that day, and unsent ones and removals in their order', () => {
    const visits = [visited('park', noon), visited('shore', noon - DAY_MS)];
    const on = (...calls: object[]) => [...visitedOn('2026-11-28', visits, unsent(...calls))];
    expect(on()).toEqual(['park']);
    expect(on(made('trail'), undone('park'))).toEqual(['trail']);
    expect(on(undone('park'), made('park'))).toEqual(['park']);
  });
});
