// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { afterAll, expect, test, vi } from 'vitest';

// Unit tests share the modules of their worker: those that another file loaded would not have these mocks.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

let output: { audio: string; speech: string };
vi.mock('../../../client/features/proximity/use-proximity.ts', () => ({
  useAudioAvailability: () => output,
  useNotifications: () => ({ state: 'granted' }),
  useProximity: () => ({ leads: true, screen: 'active' }),
}));
vi.mock('../../../client/features/proximity/use-walk-status.ts', () => ({
  useWalkStatus: () => ({ isWalking: true }),
}));
const { OutputProblems } =
  await import('../../../client/features/proximity/components/output-problems.tsx');

test.each([
  ['missing', 'ready', 'no sound'],
  ['ready', 'missing', 'no voice'],
  ['missing', 'missing', 'no sound, no voice'],
])('with sound %s and voice %s, it says: %s', (audio, speech, words) => {
  output = { audio, speech };
  const screen = document.createElement('div');
  screen.innerHTML = renderToString(<OutputProblems />);
  expect(screen.querySelector('summary span span')?.textContent).toBe(words);
});
