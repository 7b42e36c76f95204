// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import {
  SingleTabToaster,
  type PendingToast,
} from '../../../client/platform/sync/tabs/single-tab-toaster.ts';

class Tab extends EventTarget {
  visibilityState: DocumentVisibilityState = 'hidden';
  readonly titles: string[] = [];
  readonly toaster = new SingleTabToaster('ann', ({ title }) => void this.titles.push(title), this);

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
  for (const { toaster } of tabs) toaster.close();
  tabs = [];
  localStorage.clear();
});

const toast = (title: string): PendingToast => ({ id: title, title, isError: true });
const until = (check: () => void) => vi.waitFor(check);
/** Waits until all earlier messages have arrived. */
async function settled(tab: Tab) {
  const title = `after ${tab.titles.length}`;
  const other = new Tab();
  other.toaster.show(toast(title));
  await until(() => expect(tab.titles).toContain(title));
}

test('shows a message of a hidden tab once in the visible one', async () => {
  const [social, chat] = [new Tab(), new Tab()];
  social.look();
  chat.toaster.show(toast('Refused'));
  await until(() => expect(social.titles).toEqual(['Refused']));
  await settled(social);
  chat.look();
  expect(chat.titles).toEqual([]);
});

test('shows a message that arrived while all tabs were hidden in the first visible tab', async () => {
  const [social, chat] = [new Tab(), new Tab()];
  chat.toaster.show(toast('Refused'));
  expect([social.titles, chat.titles]).toEqual([[], []]);
  social.look();
  await until(() => expect(social.titles).toEqual(['Refused']));
  await settled(social);
  chat.look();
  expect(chat.titles).toEqual([]);
});

test('shows a message of the visible tab only there', async () => {
  const [social, chat] = [new Tab(), new Tab()];
  social.look();
  chat.look();
  social.toaster.show(toast('Refused'));
  expect(social.titles).toEqual(['Refused']);
  await settled(chat);
  expect(chat.titles).not.toContain('Refused');
});

test('a message that no tab showed before the system ended them is shown by the next one, once', () => {
  new Tab().toaster.show(toast('Refused'));
  for (const { toaster } of tabs) toaster.close();
  const next = new Tab();
  next.look();
  expect(next.titles).toEqual(['Refused']);
  const last = new Tab();
  last.look();
  expect(last.titles).toEqual([]);
});
