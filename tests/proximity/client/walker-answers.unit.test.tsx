// @vitest-environment jsdom
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ShownAlert } from '../../../client/features/proximity/alerts/shown-alert.ts';
import { WalkerAnswers } from '../../../client/features/proximity/components/walker-answers.tsx';
import { useLastSeen } from '../../../client/features/proximity/use-last-seen.ts';

const RECEIVED_AT = 1_700_000_000_000;
const tab = vi.hoisted(() => ({ actions: [] as object[] }));
vi.mock('../../../client/features/proximity/use-proximity.ts', () => ({
  useProximity: () => ({
    status: 'active',
    receivedAt: RECEIVED_AT,
    act: (action: object) => tab.actions.push(action),
  }),
}));

const alert: ShownAlert = {
  user_id: 'sam',
  display_name: 'Sam',
  distance_feet: 50,
  dogs: [{ name: 'Bella', sound_type: 'leash_off', image_key: null }],
  course: 'ahead',
  isUrgent: false,
  names: 'Bella',
  brief: 'Bella',
  verdict: 'is friendly',
  advice: '',
  notes: '',
  receivedAt: RECEIVED_AT,
  answers: { theirs: null, own: null },
  answeredAt: { theirs: null, own: null },
  answeredAdvice: null,
  isAnnounced: true,
  announcedFeet: 50,
  isFolded: false,
  silence: null,
  isAsking: false,
};
const crosses = { answers: { theirs: 'crossing', own: null } } as const;

let root: Root;
/** Milliseconds of the page's clock. */
let time = 0;
const sent: string[] = [];
const show = (screen: ReactNode) => act(() => root.render(screen));
const showAnswers = (change: Partial<ShownAlert> = {}) =>
  show(<WalkerAnswers alert={{ ...alert, ...change }} />);
const buttons = () => [...document.querySelectorAll('button')];
const phrases = () => buttons().map((button) => button.textContent);
/** Presses and releases the button with this text. */
const press = (text: string) =>
  act(async () => {
    const button = buttons().find((each) => each.textContent?.startsWith(text));
    for (const type of ['pointerdown', 'click']) {
      const event = new MouseEvent(type, { bubbles: true, detail: 1 });
      Object.defineProperty(event, 'timeStamp', { value: time });
      button?.dispatchEvent(event);
    }
    await vi.advanceTimersByTimeAsync(0);
  });

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(RECEIVED_AT + 25_000);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  time = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  sent.length = 0;
  tab.actions.length = 0;
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    sent.push((JSON.parse(String(body)) as { phrase: string }).phrase);
    return Response.json({});
  });
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  [false, ['Say hello', 'Waiting', 'I’ll cross']],
  [true, ['I’ll cross', 'Waiting']],
])('with isUrgent %s, an answer of the other one moves no button', (isUrgent, order) => {
  showAnswers({ isUrgent });
  expect(phrases()).toEqual(order);
  const waiting = () => buttons().find((each) => each.textContent === 'Waiting')?.className;
  const before = waiting();
  showAnswers({ isUrgent, ...crosses });
  expect(phrases()).toEqual(order);
  expect(waiting()).not.toBe(before);
});

test('a dog that now needs space takes away only the greeting', () => {
  showAnswers();
  showAnswers({ isUrgent: true });
  expect(phrases()).toEqual(['Waiting', 'I’ll cross']);
});

test('a tap on a button that has just appeared, or moved, answers nothing', async () => {
  showAnswers();
  time += 100;
  await press('Waiting');
  time += 400;
  showAnswers({ isUrgent: true });
  time += 100;
  await press('Waiting');
  expect(sent).toEqual([]);
  time += 400;
  await press('Waiting');
  expect(sent).toEqual(['waiting']);
  expect(tab.actions).toEqual([{ type: 'answered', userId: 'sam', phrase: 'waiting' }]);
  // A second tap on the place of “Change”.
  showAnswers({ isUrgent: true, answers: { theirs: null, own: 'waiting' } });
  await press('Change');
  await press('I’ll cross');
  expect(sent).toEqual(['waiting']);
});

test('somebody whom an event reports is current, although the last list is not', () => {
  function Age({ receivedAt }: { receivedAt: number }) {
    return <output>{useLastSeen({ receivedAt }) ?? 'now'}</output>;
  }
  show(
    <>
      <Age receivedAt={RECEIVED_AT} />
      <Age receivedAt={Date.now()} />
    </>,
  );
  const ages = [...document.querySelectorAll('output')].map((each) => each.textContent);
  expect(ages).toEqual(['Last seen 25 seconds ago', 'now']);
});
