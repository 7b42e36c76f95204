// @vitest-environment jsdom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOLD_MS, useHold } from '../../client/features/walks/pocket/use-hold.ts';

let root: Root;
let held = 0;
function Lock() {
  const { isHolding, handlers } = useHold(() => (held += 1));
  return (
    <button type="button" {...handlers}>
      {isHolding ? 'Keep holding' : 'Hold'}
    </button>
  );
}
const button = () => document.querySelector('button')!;
const key = (type: 'keydown' | 'keyup', name: string, target: EventTarget = document.body) =>
  act(() => {
    target.dispatchEvent(new KeyboardEvent(type, { key: name, bubbles: true, cancelable: true }));
  });
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms);
  });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  held = 0;
  const place = document.body.appendChild(document.createElement('div'));
  root = createRoot(place);
  act(() => root.render(<Lock />));
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('Escape held for 1.5 seconds leaves, once, however often the key repeats', () => {
  key('keydown', 'Escape');
  expect(button().textContent).toBe('Keep holding');
  for (let i = 0; i < 10; i += 1) {
    pass(HOLD_MS / 5);
    key('keydown', 'Escape');
  }
  expect(held).toBe(1);
});

test('a key that is released early does nothing', () => {
  key('keydown', 'Escape');
  pass(HOLD_MS - 1);
  key('keyup', 'Escape');
  pass(HOLD_MS);
  expect([held, button().textContent]).toEqual([0, 'Hold']);
});

test('Enter is held on the button only', () => {
  key('keydown', 'Enter');
  pass(HOLD_MS);
  expect(held).toBe(0);
  key('keydown', 'Enter', button());
  pass(HOLD_MS);
  expect(held).toBe(1);
});
