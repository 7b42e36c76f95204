import { afterEach, expect, test, vi } from 'vitest';
import { Leader } from '../../client/events/leader.ts';

/** Web Locks for the tabs of one test, as the standard has them: exclusive, queued, and to be stolen. */
class Locks {
  #held: { reject: (reason: unknown) => void } | null = null;
  #queue: { run: () => void; signal?: AbortSignal }[] = [];

  /** The holder of now sleeps: it hears that its lock was stolen when the answer is called. */
  sleep(): () => void {
    let wake = () => {};
    const holder = this.#held;
    const awake = holder?.reject;
    if (holder && awake)
      holder.reject = (reason) => {
        wake = () => awake(reason);
      };
    return () => wake();
  }

  request(_name: string, how: LockOptions, callback: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const run = () => {
        let isOver = false;
        const release = () => {
          if (isOver) return;
          isOver = true;
          this.#held = null;
          this.#queue.shift()?.run();
        };
        this.#held = {
          reject: (reason) => {
            isOver = true;
            reject(reason);
          },
        };
        void (async () => {
          resolve(await callback());
          release();
        })();
      };
      if (how.steal) {
        this.#held?.reject(new DOMException('Stolen', 'AbortError'));
        return run();
      }
      if (!this.#held) return run();
      const waiting = { run, signal: how.signal };
      how.signal?.addEventListener('abort', () => {
        this.#queue = this.#queue.filter((other) => other !== waiting);
        reject(how.signal?.reason);
      });
      this.#queue.push(waiting);
    });
  }
}

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const thing of open.splice(0)) thing.close();
});

let names = 0;
/** A browser; `open()` opens a tab in it. */
function browser({ locks }: { locks: object | null } = { locks: new Locks() }) {
  const name = `test-${names++}`;
  return {
    tab({ visible = true, frozen = false } = {}) {
      const channel = new BroadcastChannel(name);
      let look = () => {};
      const tab = { visible, leads: false };
      const leader = new Leader(
        name,
        {
          locks: locks as LockManager | null,
          channel: frozen
            ? { postMessage: () => {}, addEventListener: () => {}, removeEventListener: () => {} }
            : channel,
          isVisible: () => tab.visible,
          onVisibility: (listener) => {
            look = listener;
            return () => (look = () => {});
          },
        },
        (leads) => (tab.leads = leads),
      );
      const close = () => {
        leader.close();
        channel.close();
      };
      open.push({ close });
      return Object.assign(tab, {
        close,
        show: () => {
          tab.visible = true;
          look();
        },
        hide: () => {
          tab.visible = false;
          look();
        },
      });
    },
  };
}

const leading = (...tabs: { leads: boolean }[]) => tabs.map((tab) => tab.leads);
const settle = () => new Promise((resolve) => setTimeout(resolve, 500));

test('one tab of several leads, and the next one when it closes', async () => {
  const { tab } = browser();
  const tabs = [tab(), tab(), tab()] as const;
  await settle();
  expect(leading(...tabs)).toEqual([true, false, false]);
  tabs[0].close();
  await vi.waitFor(() => expect(leading(...tabs)).toEqual([false, true, false]));
  tabs[1].close();
  await vi.waitFor(() => expect(leading(...tabs)).toEqual([false, false, true]));
});

test('a tab in sight takes over from one that is not, and keeps leading when that one is back', async () => {
  const { tab } = browser();
  const first = tab();
  const second = tab({ visible: false });
  await settle();
  expect(leading(first, second)).toEqual([true, false]);
  first.hide();
  second.show();
  await vi.waitFor(() => expect(leading(first, second)).toEqual([false, true]));
  first.show();
  await settle();
  expect(leading(first, second)).toEqual([false, true]);
  second.close();
  await vi.waitFor(() => expect(leading(first, second)).toEqual([true, false]));
});

test('a tab in sight takes over from one that the phone has put to sleep', async () => {
  const { tab } = browser();
  const asleep = tab({ visible: false, frozen: true });
  expect(asleep.leads).toBe(true);
  const awake = tab();
  await vi.waitFor(() => expect(leading(asleep, awake)).toEqual([false, true]));
});

test('taking turns many times leaves exactly one leader, and none after all are closed', async () => {
  const { tab } = browser();
  const tabs = [tab(), tab({ visible: false })];
  for (let turn = 0; turn < 4; turn++) {
    const [from, to] = turn % 2 === 0 ? tabs : tabs.toReversed();
    from?.hide();
    to?.show();
    await settle();
    expect(leading(...tabs).filter(Boolean)).toHaveLength(1);
    expect(to?.leads).toBe(true);
  }
  for (const each of tabs) each.close();
  await settle();
  expect(leading(...tabs)).toEqual([false, false]);
});

test('of two windows in sight, the one that stays takes over from the one that goes', async () => {
  const { tab } = browser();
  const tabs = [tab(), tab()] as const;
  await settle();
  expect(leading(...tabs)).toEqual([true, false]);
  tabs[0].hide();
  await vi.waitFor(() => expect(leading(...tabs)).toEqual([false, true]));
  // Who is back does not take it away again.
  tabs[0].show();
  await settle();
  expect(leading(...tabs)).toEqual([false, true]);
});

test('a tab that slept while it lost the lead takes it again when it alone is in sight', async () => {
  const locks = new Locks();
  const { tab } = browser({ locks });
  const sleeper = tab();
  await settle();
  const hears = locks.sleep();
  sleeper.hide();
  const other = tab();
  await settle();
  expect(other.leads).toBe(true);
  other.hide();
  // Back in sight, it hears only now that it lost the lead.
  sleeper.show();
  hears();
  await vi.waitFor(() => expect(leading(sleeper, other)).toEqual([true, false]));
});

test('without Web Locks a tab leads itself', () => {
  const { tab } = browser({ locks: null });
  const one = tab();
  expect(one.leads).toBe(true);
  one.close();
  expect(one.leads).toBe(false);
});
