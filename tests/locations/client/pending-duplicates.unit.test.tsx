// @vitest-environment jsdom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Outcome } from '../../../client/platform/sync/outbox/outbox.ts';

let restore: (value: null) => void = () => {};
const documents = { database: new Promise((resolve) => (restore = resolve)) };
vi.mock('../../../client/platform/sync/documents/use-document.ts', () => ({
  useDocuments: () => documents,
}));

vi.hoisted(() => vi.resetModules());
const { CallError } = await import('../../../client/platform/http/api-client.ts');
const { writeCache } = await import('../../../client/platform/local-cache.ts');
const { savePendingDuplicate, usePendingDuplicate } =
  await import('../../../client/features/locations/place/pending-duplicates.ts');

const body = (name: string) => ({
  name,
  location_type: 'park' as const,
  latitude: 1,
  longitude: 2,
});

function similar(name: string): Outcome {
  const refusal = new CallError('Similar', 409, 'similar_location');
  const call = { name: 'locations.create', input: { body: body(name) }, at: 0, label: name };
  return { call, refusal, answer: null } as unknown as Outcome;
}

test('places that an ended session or another tab left undecided are asked about, and none replaces another', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  let shown: ReturnType<typeof usePendingDuplicate> | undefined;
  function First() {
    shown = usePendingDuplicate('ann');
    return null;
  }
  const root = createRoot(document.createElement('div'));
  onTestFinished(() => {
    act(() => root.unmount());
    localStorage.clear();
    vi.unstubAllGlobals();
  });
  act(() => root.render(<First />));
  expect(shown?.first).toBeNull();
  writeCache('ann', 'undecided-places', [{ body: body('Left'), candidates: [] }]);
  await act(async () => restore(null));
  expect(shown?.first?.body.name).toBe('Left');
  // Another tab.
  const both = ['Left', 'Elsewhere'].map((name) => ({ body: body(name), candidates: [] }));
  writeCache('ann', 'undecided-places', both);
  act(() => void savePendingDuplicate('ann', similar('Here')));
  const names: unknown[] = [];
  while (shown?.first) {
    names.push(shown.first.body.name);
    act(() => shown?.settle());
  }
  expect(names).toEqual(['Left', 'Elsewhere', 'Here']);
});
