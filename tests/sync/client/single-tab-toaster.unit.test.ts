import { afterEach, expect, test, vi } from 'vitest';
import {
  SingleTabToaster,
  type PendingToast,
} from '../../../client/sync/tabs/single-tab-toaster.ts';

class Tab extends EventTarget {
  visibilityState: DocumentVisibilityState = 'hidden';
  readonly said: string[] = [];
  readonly teller = new SingleTabToaster('ann', ({ title }) => void this.said.push(title), this);

  constructor() {
    super();
    tabs.push(this);
  }

  look() {
    this.visibilityState = 'visible';
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let tabs: Tab[] = [];
afterEach(() => {
  for (const { teller } of tabs) teller.close();
  tabs = [];
});

const told = (title: string): PendingToast => ({ id: title, title, isError: true });
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });
/** What was posted before it has arrived by then. */
async function settled(tab: Tab) {
  const title = `after ${tab.said.length}`;
  const other = new Tab();
  other.teller.tell(told(title));
  await until(() => expect(tab.said).toContain(title));
}

test('what came in a tab that nobody looks at is said in the one that is looked at, once', async () => {
  const [social, chat] = [new Tab(), new Tab()];
  social.look();
  chat.teller.tell(told('Refused'));
  await until(() => expect(social.said).toEqual(['Refused']));
  await settled(social);
  chat.look();
  expect(chat.said).toEqual([]);
});

test('what came while nobody looked is said in the tab that is looked at first', async () => {
  const [social, chat] = [new Tab(), new Tab()];
  chat.teller.tell(told('Refused'));
  expect([social.said, chat.said]).toEqual([[], []]);
  social.look();
  await until(() => expect(social.said).toEqual(['Refused']));
  await settled(social);
  chat.look();
  expect(chat.said).toEqual([]);
});

test('what came in the tab that is looked at is said there alone', async () => {
  const [social, chat] = [new Tab(), new Tab()];
  social.look();
  chat.look();
  social.teller.tell(told('Refused'));
  expect(social.said).toEqual(['Refused']);
  await settled(chat);
  expect(chat.said).not.toContain('Refused');
});
