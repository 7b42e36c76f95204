import { expect, test } from 'vitest';
import type { OwnVisit } from '#shared/locations/visit-contract.ts';
import { visitsWithWaiting } from '../../client/features/locations/visits/optimistic-visits.ts';
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
