import { expect, test, vi } from 'vitest';
import type { BusHandler } from '#shared/bus/bus.ts';
import { createSingleNodeBus } from '#shared/bus/bus.ts';
import { subscribeToCell } from '../../../api/features/proximity/nodes/position-bus.ts';

test('passes valid messages of other nodes on, and throws for invalid ones', () => {
  let receive: BusHandler = () => {};
  const subscribe = (_subject: string, handler: BusHandler) => {
    receive = handler;
    return () => {};
  };
  const handle = vi.fn<() => void>();
  subscribeToCell({ ...createSingleNodeBus(), subscribe }, 'cell', handle);
  const message = {
    kind: 'position',
    user_id: 'ann',
    session: 'phone',
    report: { latitude: 51.5, longitude: -0.1, sequence: 3 },
    at: 1_764_000_000_000,
    next_update_seconds: 2,
  };
  receive(message);
  expect(handle).toHaveBeenCalledExactlyOnceWith(message);
  expect(() => receive({ ...message, report: { latitude: 151, longitude: 0 } })).toThrow();
  expect(() => receive({ kind: 'removal', user_id: 'ann' })).toThrow();
  expect(() => receive({ kind: 'encounter', user_ids: ['ann'], at: 0 })).toThrow();
  expect(handle).toHaveBeenCalledOnce();
});
