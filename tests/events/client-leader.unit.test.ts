import { afterEach, expect, test, vi } from 'vitest';
import { Leader } from '../../client/platform/events/leader.ts';

/** A fake of the Web Locks standard for the tabs of one test, with exclusive, queued, and stealable locks. */
class Locks {
  #held: { reject: (reason: unknown) => void } | null = null;
  #queue: { run: () => void; signal?: AbortSignal }[] = [];

  /** Suspends the current holder. It learns that its lock was stolen when the returned function is called. */
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
/** Creates a fake browser. `tab()` opens a tab in it. */
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

test('one of several tabs leads, and the next one when it closes', async () => {
  const { tab } = browser();
  const tabs = [tab(), tab(), tab()] as const;
  await settle();
  expect(leading(...tabs)).toEqual([true, false, false]);
  tabs[0].close();
  await vi.waitFor(() => expect(leading(...tabs)).toEqual([false, true, false]));
  tabs[1].close();
  await vi.waitFor(() => expect(leading(...tabs)).toEqual([false, false, true]));
});

test('a visible tab takes over from a hidden one and keeps the lead', async () => {
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

test('a visible tab takes over from a suspended one', async () => {
  const { tab } = browser();
  const asleep = tab({ visible: false, frozen: true });
  expect(asleep.leads).toBe(true);
  const awake = tab();
  await vi.waitFor(() => expect(leading(asleep, awake)).toEqual([false, true]));
});

test('repeated changes leave exactly one leader, and none when all tabs are closed', async () => {
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

test('of two visible windows, the remaining one takes over when the leader is hidden', async () => {
  const { tab } = browser();
  const tabs = [tab(), tab()] as const;
  await settle();
  expect(leading(...tabs)).toEqual([true, false]);
  tabs[0].hide();
  await vi.waitFor(() => expect(leading(...tabs)).toEqual([false, true]));
  // The returning tab does not take the lead back.
  tabs[0].show();
  await settle();
  expect(leading(...tabs)).toEqual([false, true]);
});

test('a tab that was suspended while it lost the lead takes it back when it alone is visible', async () => {
  const locks = new Locks();
  const { tab } = browser({ locks });
  const sleeper = tab();
  await settle();
  const wakeHolder = locks.sleep();
  sleeper.hide();
  const other = tab();
  await settle();
  expect(other.leads).toBe(true);
  other.hide();
  // Visible again, it only learns now that it lost the lead.
  sleeper.show();
  wakeHolder();
  await vi.waitFor(() => expect(leading(sleeper, other)).toEqual([true, false]));
});

test('without Web Locks each tab leads itself', () => {
  const { tab } = browser({ locks: null });
  const one = tab();
  expect(one.leads).toBe(true);
  one.close();
  expect(one.leads).toBe(false);
});

test('a page that is being left asks for the lock once more, not without end', async () => {
  let asked = 0;
  let leave = (_reason: unknown) => {};
  // As WebKit: it takes the lock away from the page and refuses each further request.
  const request = (_name: string, _how: LockOptions, callback: () => unknown) => {
    if (++asked > 100) throw new Error('The page hangs');
    if (asked > 1) return Promise.reject(new DOMException('Not active', 'InvalidStateError'));
    void callback();
    return new Promise((_resolve, reject) => (leave = reject));
  };
  const { tab } = browser({ locks: { request } });
  const left = tab();
  await settle();
  expect(left.leads).toBe(true);
  left.hide();
  leave(new DOMException('Left', 'AbortError'));
  await settle();
  expect(left.leads).toBe(false);
  expect(asked).toBe(2);
});
